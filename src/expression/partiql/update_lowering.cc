// Lowers SET and REMOVE to the actions of an update. set_add and set_delete become ADD and DELETE.
#include <algorithm>
#include <string>
#include <vector>

#include "base/lower_case.h"
#include "expression/functions.h"
#include "expression/partiql/ast_builder.h"
#include "expression/partiql/literal.h"

namespace hashrange::partiql {
namespace {

class UpdateLowering {
 public:
  UpdateLowering(StatementWriter& writer, Statement* statement)
      : writer_(writer),
        statement_(*statement),
        builder_(writer, &statement->update),
        is_used_(writer.tree().nodes.size()),
        lowered_(writer.tree().nodes.size()) {}

  bool Lower() {
    for (const Assignment& assignment : writer_.parsed().assignments) {
      if (!LowerAssignment(assignment)) return false;
    }
    return builder_.CheckOperatorCount();
  }

 private:
  bool LowerAssignment(const Assignment& assignment) {
    if (!builder_.AddPath(writer_.node(assignment.target))) return false;
    AstAction action;
    action.target = builder_.last();
    action.verb = UpdateVerb::kRemove;
    if (assignment.value != kNoNode) {
      const Node& value = writer_.node(assignment.value);
      const std::string name =
          value.kind == NodeKind::kCall ? LowerCase(writer_.TokenText(value.token)) : std::string();
      const bool is_add = name == "set_add";
      if (is_add || name == "set_delete") {
        action.verb = is_add ? UpdateVerb::kAdd : UpdateVerb::kDelete;
        if (!LowerSetFunction(assignment, is_add ? "SET_ADD" : "SET_DELETE")) return false;
      } else {
        action.verb = UpdateVerb::kSet;
        if (!LowerValue(assignment)) return false;
      }
      action.operand = builder_.last();
    }
    statement_.update.actions.push_back(action);
    return true;
  }

  bool SamePath(const Node& a, const Node& b) const {
    if (b.kind != NodeKind::kPath) return false;
    return std::ranges::equal(writer_.tree().StepsOf(a), writer_.tree().StepsOf(b),
                              [&](const PathStep& x, const PathStep& y) {
                                return x.is_index == y.is_index &&
                                       Unquoted(writer_.TokenText(x.token)) ==
                                           Unquoted(writer_.TokenText(y.token));
                              });
  }

  std::string PlaceOfToken(const Token& token) const {
    return PlaceOf(writer_.parsed().text, token);
  }

  // Lowers `target = set_add(target, set)`: the set becomes the operand.
  bool LowerSetFunction(const Assignment& assignment, std::string_view function) {
    const Node& call = writer_.node(assignment.value);
    const std::string name(function);
    if (call.count != 2) {
      return writer_.RefuseLate(name + " must have exactly two arguments at " +
                                PlaceOfToken(call.token));
    }
    const std::span<const std::uint16_t> arguments = writer_.tree().ChildrenOf(call);
    const Node& path = writer_.node(arguments[0]);
    if (!SamePath(writer_.node(assignment.target), path)) {
      return writer_.RefuseLate("The first argument to " + name +
                                " must equal the assignment value at " + PlaceOfToken(call.token));
    }
    const std::string no_set = "The second argument to " + name +
                               " must be a value with type SET at " + PlaceOfToken(path.token);
    const NodeKind kind = writer_.node(arguments[1]).kind;
    if (kind != NodeKind::kBag && kind != NodeKind::kParameter) return writer_.RefuseLate(no_set);
    if (!builder_.AddValue(arguments[1])) return false;
    if (kind == NodeKind::kParameter) {
      const auto number = static_cast<std::uint16_t>(statement_.values.size() - 1);
      statement_.set_arguments.push_back({number, no_set});
    }
    return true;
  }

  // Lowers a value: the arguments of its calls and the sides of its sum, then the value itself. A
  // literal becomes one node: its parts are skipped.
  bool LowerValue(const Assignment& assignment) {
    is_used_[assignment.value] = true;
    for (std::size_t i = assignment.value; i > assignment.target; --i) {
      const Node& node = writer_.tree().nodes[i];
      if (!is_used_[i] || (node.kind != NodeKind::kCall && node.kind != NodeKind::kInfix)) continue;
      for (const std::uint16_t child : writer_.tree().ChildrenOf(node)) is_used_[child] = true;
    }
    for (std::size_t i = assignment.target + std::size_t{1}; i <= assignment.value; ++i) {
      if (!is_used_[i]) continue;
      if (!LowerNode(static_cast<std::uint16_t>(i), i == assignment.value)) return false;
      lowered_[i] = builder_.last();
    }
    return true;
  }

  bool LowerNode(std::uint16_t index, bool is_whole) {
    const Node& node = writer_.node(index);
    if (node.kind == NodeKind::kPath) return builder_.AddPath(node);
    if (node.kind == NodeKind::kParameter || IsLiteral(node)) return builder_.AddValue(index);
    std::vector<std::uint16_t> children;
    for (const std::uint16_t child : writer_.tree().ChildrenOf(node)) {
      children.push_back(lowered_[child]);
    }
    if (node.kind == NodeKind::kCall) {
      const std::string name = LowerCase(writer_.TokenText(node.token));
      const FunctionRow* const function = FindFunction(name);
      if (!function || function->place != FunctionPlace::kUpdateOperand) {
        return writer_.RefuseLate("Unrecognized function: " + name + " at " +
                                  PlaceOfToken(node.token));
      }
      builder_.AddCall(function, children);
      return true;
    }
    // A value may be one sum, as in an UpdateExpression; a sum may not be nested.
    const bool is_sum = node.kind == NodeKind::kInfix && is_whole &&
                        (node.op == Word::kPlus || node.op == Word::kMinus);
    if (!is_sum) return writer_.RefuseOperation(writer_.TokenText(node.token));
    builder_.AddOperator(node.op == Word::kPlus ? Operator::kPlus : Operator::kMinus, children);
    return true;
  }

  StatementWriter& writer_;
  Statement& statement_;
  AstBuilder builder_;
  // For each node of the syntax tree: whether it becomes a node of an action's value in the Ast,
  // and the index of that node.
  std::vector<bool> is_used_;
  std::vector<std::uint16_t> lowered_;
};

}  // namespace

bool LowerUpdate(StatementWriter& writer, Statement* statement) {
  return UpdateLowering(writer, statement).Lower();
}

}  // namespace hashrange::partiql
