// The checks of updates that need names and values: docs/service/04-expressions.md, section 8,
// rows 4 to 11, one row after the other over the whole expression.
#include <string>

#include "expression/binding.h"
#include "expression/path.h"
#include "expression/update.h"

namespace hashrange {
namespace {

// Returns the name of a type as the messages of ADD and DELETE print it.
std::string_view LongNameOf(AttributeType type) {
  static constexpr std::string_view kNames[kAttributeTypes] = {
      "STRING",     "NUMBER",     "BINARY",     "BOOLEAN", "NULL",
      "STRING_SET", "NUMBER_SET", "BINARY_SET", "LIST",    "MAP"};
  return kNames[static_cast<int>(type)];
}

class UpdateBinder {
 public:
  explicit UpdateBinder(const AstBinding& from)
      : from_(from),
        ast_(from.ast),
        operands_(from.arena.NewArray<UpdateOperand>(from.ast.nodes.size())) {}

  Result<Update> Bind() {
    HR_RETURN_IF_ERROR(BindPaths());
    HR_RETURN_IF_ERROR(BindValues());
    HR_RETURN_IF_ERROR(CheckTargets());
    for (const AstAction& action : ast_.actions) HR_RETURN_IF_ERROR(CheckAddOrDelete(action));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckPlace));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckCount));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckPathRequired));
    HR_RETURN_IF_ERROR(CheckOperands(&UpdateBinder::CheckTypes));
    LinkOperands();
    return Update(MakeActions(), Paths(),
                  from_.kind == ExpressionKind::kStatement ? UpdateForm::kStatement
                                                           : UpdateForm::kExpression);
  }

 private:
  Status BindPaths() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (ast_.nodes[i].kind != AstNode::Kind::kPath) continue;
      operands_[i].form = UpdateOperand::Form::kPath;
      HR_ASSIGN(operands_[i].path, BindPath(from_, ast_.nodes[i]));
    }
    return {};
  }

  Status BindValues() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (ast_.nodes[i].kind != AstNode::Kind::kValue) continue;
      HR_ASSIGN(operands_[i].value, BindValue(from_, ast_.nodes[i]));
    }
    return {};
  }

  Status CheckTargets() {
    const std::span<Path> targets = from_.arena.NewArray<Path>(ast_.actions.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets[i] = operands_[ast_.actions[i].target].path;
    }
    return CheckPathsDistinct(from_.kind, targets, from_.arena);
  }

  // Checks the type of the operand of ADD or DELETE; other actions have no such rule.
  Status CheckAddOrDelete(const AstAction& action) const {
    if (action.verb != UpdateVerb::kAdd && action.verb != UpdateVerb::kDelete) return {};
    const AttributeType type = operands_[action.operand].value.type;
    const bool is_add = action.verb == UpdateVerb::kAdd;
    if (IsSet(type) || (is_add && type == AttributeType::kN)) return {};
    const std::string verb = is_add ? "ADD" : "DELETE";
    return ExpressionError(from_.kind,
                           "Incorrect operand type for operator or function; operator: " + verb +
                               ", operand type: " + std::string(LongNameOf(type)) +
                               ", typeSet: ALLOWED_FOR_" + verb + "_OPERAND");
  }

  using NodeCheck = Status (UpdateBinder::*)(const AstNode&) const;
  Status CheckOperands(NodeCheck check) const {
    for (const AstNode& node : ast_.nodes) {
      const bool takes_operands =
          node.kind == AstNode::Kind::kCall || node.kind == AstNode::Kind::kOperator;
      if (takes_operands) HR_RETURN_IF_ERROR((this->*check)(node));
    }
    return {};
  }

  // Checks that no operand of the function or sum is a call that has to be a whole value. In a
  // statement such calls are accepted anywhere (unverified).
  Status CheckPlace(const AstNode& node) const {
    if (from_.kind == ExpressionKind::kStatement) return {};
    for (std::size_t i = 0; i < node.count; ++i) {
      const FunctionRow* const function = ChildOf(node, i).function;
      if (!function || !function->is_whole_value) continue;
      return ExpressionError(
          from_.kind,
          "The function is not allowed to be used this way in an expression; function: " +
              std::string(function->name));
    }
    return {};
  }

  Status CheckCount(const AstNode& node) const {
    if (!node.function || node.count == node.function->arity) return {};
    return ExpressionError(from_.kind, IncorrectOperandCountText(node.function->name, node.count));
  }

  const AstNode& ChildOf(const AstNode& node, std::size_t i) const {
    return ast_.nodes[ast_.ChildrenOf(node)[i]];
  }

  Status CheckPathRequired(const AstNode& node) const {
    if (!node.function || node.function->arguments[0].form != ArgumentForm::kPath) return {};
    if (ChildOf(node, 0).kind == AstNode::Kind::kPath) return {};
    return ExpressionError(from_.kind, PathRequiredText(node.function->name));
  }

  // Checks only values: the type at a path or of a call is known only on an item.
  Status CheckTypes(const AstNode& node) const {
    for (std::size_t i = 0; i < node.count; ++i) {
      if (ChildOf(node, i).kind != AstNode::Kind::kValue) continue;
      const AttributeType type = operands_[ast_.ChildrenOf(node)[i]].value.type;
      const TypeMask allowed =
          node.function ? node.function->arguments[i].types : MaskOf(AttributeType::kN);
      if (Allows(allowed, type)) continue;
      const std::string_view name = node.function ? node.function->name : OperatorName(node.op);
      return ExpressionError(from_.kind, IncorrectOperandTypeText(name, TypeTag(type)));
    }
    return {};
  }

  void LinkOperands() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      const AstNode& node = ast_.nodes[i];
      UpdateOperand& operand = operands_[i];
      if (node.kind == AstNode::Kind::kCall) {
        operand.form = UpdateOperand::Form::kCall;
        operand.function = node.function;
      } else if (node.kind == AstNode::Kind::kOperator) {
        operand.form = node.op == Operator::kPlus ? UpdateOperand::Form::kSum
                                                  : UpdateOperand::Form::kDifference;
      } else {
        continue;
      }
      const std::span<const std::uint16_t> children = ast_.ChildrenOf(node);
      operand.first = &operands_[children[0]];
      operand.second = &operands_[children[1]];
    }
  }

  std::span<const UpdateAction> MakeActions() {
    const std::span<UpdateAction> actions = from_.arena.NewArray<UpdateAction>(ast_.actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const AstAction& from = ast_.actions[i];
      UpdateAction& action = actions[i];
      action.verb = from.verb;
      action.target = operands_[from.target].path;
      if (from.verb == UpdateVerb::kRemove) continue;
      const UpdateOperand& operand = operands_[from.operand];
      if (from.verb == UpdateVerb::kSet) action.operand = &operand;
      if (operand.form == UpdateOperand::Form::kValue) action.value = &operand.value;
    }
    return actions;
  }

  std::span<const Path> Paths() {
    const std::span<Path> paths = from_.arena.NewArray<Path>(ast_.nodes.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (ast_.nodes[i].kind == AstNode::Kind::kPath) paths[count++] = operands_[i].path;
    }
    return paths.first(count);
  }

  const AstBinding& from_;
  const Ast& ast_;
  const std::span<UpdateOperand> operands_;
};

}  // namespace

Result<Update> BindUpdateAst(const AstBinding& from) { return UpdateBinder(from).Bind(); }

Result<Update> BindUpdate(std::string_view text, Placeholders& placeholders, Arena& arena) {
  HR_ASSIGN(const Ast* ast, ParseChecked(ExpressionKind::kUpdate, text));
  return BindUpdateAst({ExpressionKind::kUpdate, *ast, text, placeholders, arena});
}

}  // namespace hashrange
