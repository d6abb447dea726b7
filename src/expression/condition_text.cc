// The text of a condition: its tests, joined as its ConditionTree says.
#include "expression/condition_tree.h"
#include "expression/expression_text.h"

namespace hashrange {
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
