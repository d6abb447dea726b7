// Lowers WHERE to the Ast of a condition. The additions of PartiQL are expressed by DynamoDB's
// conditions: IS MISSING is attribute_not_exists, IS STRING is attribute_type, NOT IN is
// NOT … IN.
#include <string>
#include <vector>

#include "base/lower_case.h"
#include "expression/functions.h"
#include "expression/parser.h"
#include "expression/partiql/ast_builder.h"
#include "expression/partiql/literal.h"

namespace hashrange::partiql {
namespace {

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

class ConditionLowering {
 public:
  ConditionLowering(StatementWriter& writer, Ast* ast)
      : writer_(writer),
        builder_(writer, ast),
        roles_(writer.tree().nodes.size()),
        lowered_(writer.tree().nodes.size()) {}

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
    if (node.kind == NodeKind::kPath) return builder_.AddPath(node);
    if (node.kind == NodeKind::kParameter || IsLiteral(node)) return builder_.AddValue(index);
    return writer_.RefuseOperation("Operand");
  }

  std::vector<std::uint16_t> LoweredChildren(const Node& node) const {
    std::vector<std::uint16_t> children;
    for (const std::uint16_t child : writer_.tree().ChildrenOf(node)) {
      children.push_back(lowered_[child]);
    }
    return children;
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
      return writer_.RefuseLate("Unrecognized function: " + name + " at " +
                                PlaceOf(writer_.parsed().text, node.token));
    }
    if (function->place == FunctionPlace::kConditionOperand && roles_[index] == Role::kTest) {
      return writer_.RefuseLate(
          "The function is not allowed to be used this way in an expression; function: " + name);
    }
    builder_.AddCall(function, LoweredChildren(node));
    return true;
  }

  StatementWriter& writer_;
  AstBuilder builder_;
  std::vector<Role> roles_;
  std::vector<std::uint16_t> lowered_;  // for each node, the index of its node in the Ast
};

}  // namespace

bool LowerCondition(std::uint16_t root, StatementWriter& writer, Ast* ast) {
  return ConditionLowering(writer, ast).Lower(root);
}

}  // namespace hashrange::partiql
