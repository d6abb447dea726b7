#include "expression/expression_text.h"

#include <algorithm>
#include <span>

#include "absl/container/inlined_vector.h"
#include "expression/condition_tree.h"
#include "expression/path.h"
#include "expression/token.h"
#include "expression/update.h"

namespace hashrange {
namespace {

void AppendName(std::string_view name, std::string* text) {
  if (IsPlainName(name)) {
    text->append(name);
    return;
  }
  text->push_back('"');
  for (const char c : name) {
    if (c == '"') text->push_back('"');
    text->push_back(c);
  }
  text->push_back('"');
}

// The recursion is no deeper than the number of operators that an expression may have. A sum is
// never the operand of another operand, so it needs no parentheses.
void AppendOperand(const UpdateOperand& operand, std::string* text) {
  using Form = UpdateOperand::Form;
  switch (operand.form) {
    case Form::kValue:
      text->push_back('?');
      return;
    case Form::kPath:
      AppendPathText(operand.path, text);
      return;
    case Form::kCall:
      text->append(operand.function->name).push_back('(');
      AppendOperand(*operand.first, text);
      text->append(", ");
      AppendOperand(*operand.second, text);
      text->push_back(')');
      return;
    case Form::kSum:
    case Form::kDifference:
      AppendOperand(*operand.first, text);
      text->append(operand.form == Form::kSum ? " + " : " - ");
      AppendOperand(*operand.second, text);
      return;
  }
}

void AppendAction(const UpdateAction& action, std::string* text) {
  AppendPathText(action.target, text);
  if (action.verb == UpdateVerb::kRemove) return;
  text->append(action.verb == UpdateVerb::kSet ? " = " : " ");
  if (action.operand) {
    AppendOperand(*action.operand, text);
  } else {
    text->push_back('?');
  }
}

void SortNames(std::vector<std::string_view>* names) {
  std::ranges::sort(*names);
  names->erase(std::ranges::unique(*names).begin(), names->end());
}

void ListFirstNames(std::span<const Path> paths, std::vector<std::string_view>* names) {
  names->clear();
  for (const Path path : paths) names->push_back(path.front().name);
  SortNames(names);
}

}  // namespace

void AppendPathText(Path path, std::string* text) {
  for (const PathElement& element : path) {
    if (element.is_index) {
      text->append("[").append(std::to_string(element.index)).append("]");
      continue;
    }
    if (&element != path.data()) text->push_back('.');
    AppendName(element.name, text);
  }
}

void AppendProjectionText(const Projection& projection, std::string* text) {
  absl::InlinedVector<Path, 16> paths(projection.paths().begin(), projection.paths().end());
  std::ranges::sort(paths, PathLess);
  const Path* last = nullptr;
  for (const Path& path : paths) {
    if (last && std::ranges::equal(*last, path)) continue;
    if (last) text->append(", ");
    AppendPathText(path, text);
    last = &path;
  }
}

void AppendUpdateText(const Update& update, std::string* text) {
  static constexpr std::string_view kClauses[] = {"SET ", "REMOVE ", "ADD ", "DELETE "};
  bool is_first_clause = true;
  for (std::size_t verb = 0; verb < std::size(kClauses); ++verb) {
    bool is_first_action = true;
    for (const UpdateAction& action : update.actions()) {
      if (action.verb != static_cast<UpdateVerb>(verb)) continue;
      if (!is_first_action) text->append(", ");
      if (is_first_action && !is_first_clause) text->push_back(' ');
      if (is_first_action) text->append(kClauses[verb]);
      is_first_action = is_first_clause = false;
      AppendAction(action, text);
    }
  }
}

void ListConditionAttributes(const Condition& condition, std::vector<std::string_view>* names) {
  ListFirstNames(condition.paths(), names);
}

void ListProjectionAttributes(const Projection& projection, std::vector<std::string_view>* names) {
  ListFirstNames(projection.paths(), names);
}

void ListUpdatedAttributes(const Update& update, std::vector<std::string_view>* names) {
  names->clear();
  for (const UpdateAction& action : update.actions()) names->push_back(action.target.front().name);
  SortNames(names);
}

std::string_view KeyOperatorText(KeyOperator op) {
  static constexpr std::string_view kTexts[] = {"=",  "<",       "<=",          ">",
                                                ">=", "BETWEEN", "begins_with", ""};
  return kTexts[static_cast<int>(op)];
}

namespace {

using Form = ConditionOperand::Form;
using TreeNode = ConditionTree::Node;

void AppendWalk(const ConditionNode* root, std::string* text);

// A condition that is an operand is in parentheses, except for a single call.
void AppendNestedCondition(const ConditionNode* root, std::string* text) {
  const bool is_call =
      root->function && root->if_true == &kConditionHolds && root->if_false == &kConditionFails;
  if (!is_call) text->push_back('(');
  AppendWalk(root, text);
  if (!is_call) text->push_back(')');
}

void AppendOperand(const ConditionOperand& operand, std::string* text) {
  switch (operand.form) {
    case Form::kValue:
    case Form::kKeyValue:
      text->push_back('?');
      return;
    case Form::kPath:
      AppendPathText(operand.path, text);
      return;
    case Form::kCall:
      text->append(operand.function->name).push_back('(');
      AppendPathText(operand.path, text);
      text->push_back(')');
      return;
    case Form::kCondition:
      AppendNestedCondition(operand.condition, text);
      return;
  }
}

void AppendOperands(std::span<const ConditionOperand> operands, std::string_view separator,
                    std::string* text) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) text->append(separator);
    AppendOperand(operands[i], text);
  }
}

void AppendIn(const ConditionNode& test, std::string* text) {
  AppendOperand(test.operands[0], text);
  text->append(" IN (");
  bool has_values = !test.listed.empty();
  bool is_first = true;
  for (const ConditionOperand& operand : test.operands.subspan(1)) {
    if (operand.form == Form::kValue) {
      has_values = true;
      continue;
    }
    if (!is_first) text->append(", ");
    is_first = false;
    AppendOperand(operand, text);
  }
  if (has_values) text->append(is_first ? "?" : ", ?");
  text->push_back(')');
}

void AppendTest(const ConditionNode& test, std::string* text) {
  if (test.function) {
    text->append(test.function->name).push_back('(');
    AppendOperands(test.operands, ", ", text);
    text->push_back(')');
  } else if (test.op == Operator::kIn) {
    AppendIn(test, text);
  } else if (test.op == Operator::kBetween) {
    AppendOperand(test.operands[0], text);
    text->append(" BETWEEN ");
    AppendOperands(test.operands.subspan(1), " AND ", text);
  } else {
    AppendOperand(test.operands[0], text);
    text->append(" ").append(OperatorName(test.op)).append(" ");
    AppendOperand(test.operands[1], text);
  }
}

// Appends a node and those below it. `parent` is the operator that joins the node to its sibling;
// kOr for the root, which needs no parentheses. The recursion is no deeper than kMaxTests.
void AppendTreeNode(std::span<const TreeNode> nodes, const TreeNode& node, Operator parent,
                    std::string* text) {
  if (node.is_negated) text->append("NOT ");
  if (node.test) {
    AppendTest(*node.test, text);
    return;
  }
  const bool is_group = node.is_negated || (parent == Operator::kAnd && node.op == Operator::kOr);
  if (is_group) text->push_back('(');
  AppendTreeNode(nodes, nodes[node.left], node.op, text);
  text->append(" ").append(OperatorName(node.op)).append(" ");
  AppendTreeNode(nodes, nodes[node.right], node.op, text);
  if (is_group) text->push_back(')');
}

void AppendTests(const ConditionTree& tree, std::string* text) {
  for (const ConditionNode* test : tree.tests()) {
    AppendTest(*test, text);
    text->append("; ");
  }
  text->append("...");
}

// A condition may be an operand of another: the recursion is no deeper than the number of
// operators that an expression may have.
void AppendWalk(const ConditionNode* root, std::string* text) {
  const ConditionTree tree(root);
  if (!tree.is_complete()) {
    AppendTests(tree, text);
  } else if (!tree.nodes().empty()) {
    AppendTreeNode(tree.nodes(), tree.nodes().back(), Operator::kOr, text);
  }
}

}  // namespace

void AppendConditionText(const Condition& condition, std::string* text) {
  if (!condition.empty()) AppendWalk(condition.root(), text);
}

}  // namespace hashrange
