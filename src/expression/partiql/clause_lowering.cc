// The lowering of the clauses of a statement, WHERE, SET and REMOVE, to Asts.
#include <algorithm>
#include <string>
#include <vector>

#include "base/text/short_text.h"
#include "expression/functions.h"
#include "expression/parser.h"
#include "expression/partiql/ast_builder.h"

namespace hashrange::partiql {
namespace {

// What the lowerings of the clauses share: the nodes of the syntax tree become nodes of one Ast,
// each after its children.
class ClauseLowering {
 protected:
  ClauseLowering(StatementWriter& writer, Ast* ast)
      : writer_(writer), builder_(writer, ast), lowered_(writer.tree().nodes.size()) {}

  // Whether the node becomes one node without children: a path or a value.
  static bool IsLeaf(const Node& node) {
    return node.kind == NodeKind::kPath || node.kind == NodeKind::kParameter || IsLiteral(node);
  }
  bool AddLeaf(std::uint16_t index) {
    const Node& node = writer_.node(index);
    return node.kind == NodeKind::kPath ? builder_.AddPath(node) : builder_.AddValue(index);
  }

  std::vector<std::uint16_t> LoweredChildren(const Node& node) const {
    std::vector<std::uint16_t> children;
    for (const std::uint16_t child : writer_.tree().ChildrenOf(node)) {
      children.push_back(lowered_[child]);
    }
    return children;
  }

  // Calls RefuseLate with "<text> at <place of the token>".
  bool RefuseLateAt(const std::string& text, const Token& token) {
    return writer_.RefuseLate(text + " at " + PlaceOf(writer_.parsed().text, token));
  }

  StatementWriter& writer_;
  AstBuilder builder_;
  std::vector<std::uint16_t> lowered_;  // for each node, the index of its node in the Ast
};

// The role of a node in WHERE.
enum class Role : std::uint8_t {
  kNone,     // a part of a literal or of another clause
  kTest,     // a condition, which is true or false
  kOperand,  // a value that is compared; it may be the result of a test
  kListed,   // the list of IN
};

bool IsComparator(Word op) { return op >= Word::kEqual && op <= Word::kGreaterOrEqual; }

Operator OperatorOf(Word op) {
  switch (op) {
    case Word::kAnd:
      return Operator::kAnd;
    case Word::kOr:
      return Operator::kOr;
    case Word::kIn:
      return Operator::kIn;
    default:
      return static_cast<Operator>(static_cast<int>(op) - static_cast<int>(Word::kEqual));
  }
}

// Lowers WHERE to the Ast of a condition. DynamoDB's conditions express the additions of PartiQL:
// IS MISSING is attribute_not_exists, IS STRING is attribute_type, NOT IN is NOT … IN.
class ConditionLowering : public ClauseLowering {
 public:
  ConditionLowering(StatementWriter& writer, Ast* ast)
      : ClauseLowering(writer, ast), roles_(writer.tree().nodes.size()) {}

  bool Lower(std::uint16_t root) {
    roles_[root] = Role::kTest;
    for (std::size_t i = root + std::size_t{1}; i-- > 0;) AssignRoles(i);
    for (std::size_t i = 0; i <= root; ++i) {
      if (roles_[i] == Role::kNone || roles_[i] == Role::kListed) continue;
      if (!LowerNode(static_cast<std::uint16_t>(i))) return false;
      lowered_[i] = builder_.last();
    }
    return builder_.CheckOperatorCount();
  }

 private:
  void AssignRoles(std::size_t i) {
    if (roles_[i] == Role::kNone) return;
    const Node& node = writer_.tree().nodes[i];
    const bool is_logic =
        node.kind == NodeKind::kNot || (node.kind == NodeKind::kInfix && IsLogic(node.op));
    const bool takes_operands = node.kind == NodeKind::kInfix || node.kind == NodeKind::kBetween ||
                                node.kind == NodeKind::kIs || node.kind == NodeKind::kCall ||
                                roles_[i] == Role::kListed;
    if (!is_logic && !takes_operands) return;
    const std::span<const std::uint16_t> children = writer_.tree().ChildrenOf(node);
    for (const std::uint16_t child : children) {
      roles_[child] = is_logic ? Role::kTest : Role::kOperand;
    }
    const bool is_in = node.kind == NodeKind::kInfix && node.op == Word::kIn;
    if (is_in && writer_.node(children[1]).kind == NodeKind::kList) {
      roles_[children[1]] = Role::kListed;
    }
  }

  static bool IsLogic(Word op) { return op == Word::kAnd || op == Word::kOr; }

  bool LowerNode(std::uint16_t index) {
    const Node& node = writer_.node(index);
    switch (node.kind) {
      case NodeKind::kNot:
        AddOperator(Operator::kNot, node);
        return true;
      case NodeKind::kInfix:
        return AddInfix(node);
      case NodeKind::kBetween:
        AddOperator(Operator::kBetween, node);
        Negate(node);
        return true;
      case NodeKind::kIs:
        return AddIs(node);
      case NodeKind::kCall:
      case NodeKind::kCount:
        return AddCall(index);
      default:
        break;
    }
    if (roles_[index] == Role::kTest) return writer_.RefuseOperation("Condition");
    return IsLeaf(node) ? AddLeaf(index) : writer_.RefuseOperation("Operand");
  }

  void AddOperator(Operator op, const Node& node) {
    builder_.AddOperator(op, LoweredChildren(node));
  }

  void Negate(const Node& node) {
    const std::uint16_t child = builder_.last();
    if (node.is_negated) builder_.AddOperator(Operator::kNot, {&child, 1});
  }

  bool AddInfix(const Node& node) {
    if (node.op == Word::kIn) return AddIn(node);
    if (!IsComparator(node.op) && !IsLogic(node.op)) {
      return writer_.RefuseOperation(writer_.TokenText(node.token));
    }
    AddOperator(OperatorOf(node.op), node);
    return true;
  }

  bool AddIn(const Node& node) {
    const std::span<const std::uint16_t> children = writer_.tree().ChildrenOf(node);
    const Node& list = writer_.node(children[1]);
    if (list.kind != NodeKind::kList) return writer_.RefuseOperation("In");
    if (list.count > kMaxInOperands) {
      return writer_.RefuseLate(
          "The IN operator is provided with too many operands; number of operands: " +
          std::to_string(list.count));
    }
    std::vector<std::uint16_t> operands = LoweredChildren(list);
    operands.insert(operands.begin(), lowered_[children[0]]);
    builder_.AddOperator(Operator::kIn, operands);
    Negate(node);
    return true;
  }

  bool AddIs(const Node& node) {
    const std::uint16_t child = writer_.tree().ChildrenOf(node)[0];
    if (writer_.node(child).kind != NodeKind::kPath) return writer_.RefuseOperation("IsType");
    const std::uint16_t path = lowered_[child];
    const std::string type = LowerCase(writer_.TokenText(node.token));
    if (type == "missing") {
      const char* const name = node.is_negated ? "attribute_exists" : "attribute_not_exists";
      builder_.AddCall(FindFunction(name), {&path, 1});
      return true;
    }
    const bool is_bool = type == "bool" || type == "boolean";
    if (!is_bool && type != "null" && type != "string") return writer_.RefuseOperation("IsType");
    builder_.AddText(is_bool ? "BOOL" : type == "null" ? "NULL" : "S");
    const std::uint16_t arguments[] = {path, builder_.last()};
    builder_.AddCall(FindFunction("attribute_type"), arguments);
    Negate(node);
    return true;
  }

  bool AddCall(std::uint16_t index) {
    const Node& node = writer_.node(index);
    const std::string name = LowerCase(writer_.TokenText(node.token));
    const FunctionRow* const function = node.kind == NodeKind::kCall ? FindFunction(name) : nullptr;
    if (!function || function->place == FunctionPlace::kUpdateOperand) {
      return RefuseLateAt("Unrecognized function: " + name, node.token);
    }
    if (function->place == FunctionPlace::kConditionOperand && roles_[index] == Role::kTest) {
      return writer_.RefuseLate(
          "The function is not allowed to be used this way in an expression; function: " + name);
    }
    builder_.AddCall(function, LoweredChildren(node));
    return true;
  }

  std::vector<Role> roles_;
};

// Lowers SET and REMOVE to the actions of an update. set_add and set_delete become ADD and DELETE.
class UpdateLowering : public ClauseLowering {
 public:
  UpdateLowering(StatementWriter& writer, Statement* statement)
      : ClauseLowering(writer, &statement->update),
        statement_(*statement),
        is_used_(writer.tree().nodes.size()) {}

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

  // Lowers `target = set_add(target, set)`: the set becomes the operand.
  bool LowerSetFunction(const Assignment& assignment, std::string_view function) {
    const Node& call = writer_.node(assignment.value);
    const std::string name(function);
    if (call.count != 2) {
      return RefuseLateAt(name + " must have exactly two arguments", call.token);
    }
    const std::span<const std::uint16_t> arguments = writer_.tree().ChildrenOf(call);
    const Node& path = writer_.node(arguments[0]);
    if (!SamePath(writer_.node(assignment.target), path)) {
      return RefuseLateAt("The first argument to " + name + " must equal the assignment value",
                          call.token);
    }
    const std::string no_set = "The second argument to " + name +
                               " must be a value with type SET at " +
                               PlaceOf(writer_.parsed().text, path.token);
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
    if (IsLeaf(node)) return AddLeaf(index);
    const std::vector<std::uint16_t> children = LoweredChildren(node);
    if (node.kind == NodeKind::kCall) {
      const std::string name = LowerCase(writer_.TokenText(node.token));
      const FunctionRow* const function = FindFunction(name);
      if (!function || function->place != FunctionPlace::kUpdateOperand) {
        return RefuseLateAt("Unrecognized function: " + name, node.token);
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

  Statement& statement_;
  // For each node of the syntax tree, whether it becomes a node of an action's value in the Ast.
  std::vector<bool> is_used_;
};

}  // namespace

bool LowerCondition(std::uint16_t root, StatementWriter& writer, Ast* ast) {
  return ConditionLowering(writer, ast).Lower(root);
}

bool LowerUpdate(StatementWriter& writer, Statement* statement) {
  return UpdateLowering(writer, statement).Lower();
}

}  // namespace hashrange::partiql
