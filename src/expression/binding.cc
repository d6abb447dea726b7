#include "expression/binding.h"

#include "expression/parse_cache.h"

namespace hashrange {
namespace {

Grammar GrammarOf(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kUpdate:
      return Grammar::kUpdate;
    case ExpressionKind::kProjection:
      return Grammar::kProjection;
    default:
      return Grammar::kCondition;
  }
}

}  // namespace

std::string_view ExpressionKindName(ExpressionKind kind) {
  static constexpr std::string_view kNames[] = {"UpdateExpression",
                                                "ConditionExpression",
                                                "KeyConditionExpression",
                                                "FilterExpression",
                                                "ProjectionExpression",
                                                "SearchConditionExpression",
                                                ""};
  return kNames[static_cast<int>(kind)];
}

Error ExpressionError(ExpressionKind kind, std::string_view message) {
  if (kind == ExpressionKind::kStatement) return ValidationError(std::string(message));
  std::string text = "Invalid ";
  text += ExpressionKindName(kind);
  text += ": ";
  text += message;
  return ValidationError(std::move(text));
}

Result<const Ast*> ParseChecked(ExpressionKind kind, std::string_view text) {
  if (text.size() > kMaxExpressionBytes) {
    std::string message = "Expression size has exceeded the maximum allowed size;";
    if (kind != ExpressionKind::kUpdate) {
      message += " expression size: " + std::to_string(text.size());
    }
    return ExpressionError(kind, message);
  }
  // An expression that has only blanks counts as empty (unverified).
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return ExpressionError(kind, "The expression can not be empty;");
  }
  const Ast& ast = ParseCache::ThisThread().Parse(GrammarOf(kind), text);
  if (!ast.error.empty()) return ExpressionError(kind, ast.error);
  return &ast;
}

Result<Path> BindPath(const AstBinding& from, const AstNode& node) {
  const std::span<PathElement> path = from.arena.NewArray<PathElement>(node.count);
  std::size_t i = 0;
  for (const AstPathElement& element : from.ast.ElementsOf(node)) {
    PathElement& bound = path[i++];
    const std::string_view word = element.text.In(from.text);
    switch (element.kind) {
      case AstPathElement::Kind::kName:
        bound.name = word;
        break;
      case AstPathElement::Kind::kIndex:
        bound.is_index = true;
        bound.index = element.index;
        break;
      case AstPathElement::Kind::kPlaceholder: {
        const std::string_view* const name = from.placeholders.UseName(word);
        if (!name) {
          return ExpressionError(from.kind,
                                 "An expression attribute name used in the document path is not "
                                 "defined; attribute name: " +
                                     std::string(word));
        }
        bound.name = *name;
        break;
      }
    }
  }
  // The service refuses a projection's path of 33 elements and accepts one of 32. DynamoDB Local
  // applies the rule to each kind of expression, and only after it has looked up the names of the
  // path. For the other kinds, and for the order of the two checks, the service was not measured.
  // No limit is known for a statement's paths.
  if (path.size() > kMaxPathElements && from.kind != ExpressionKind::kStatement) {
    return ExpressionError(from.kind,
                           "The document path has too many nesting levels; nesting levels: " +
                               std::to_string(path.size()));
  }
  return Path(path);
}

Result<ValueView> BindValue(const AstBinding& from, const AstNode& node) {
  if (from.kind == ExpressionKind::kStatement) return from.placeholders.NumberedValue(node.first);
  const std::string_view word = node.text.In(from.text);
  const ValueView* const value = from.placeholders.UseValue(word);
  if (!value) {
    return ExpressionError(from.kind,
                           "An expression attribute value used in expression is not defined; "
                           "attribute value: " +
                               std::string(word));
  }
  return *value;
}

KeyOperator KeyOperatorOf(Operator op, bool is_mirrored) {
  switch (op) {
    case Operator::kLess:
      return is_mirrored ? KeyOperator::kGreater : KeyOperator::kLess;
    case Operator::kLessOrEqual:
      return is_mirrored ? KeyOperator::kGreaterOrEqual : KeyOperator::kLessOrEqual;
    case Operator::kGreater:
      return is_mirrored ? KeyOperator::kLess : KeyOperator::kGreater;
    case Operator::kGreaterOrEqual:
      return is_mirrored ? KeyOperator::kLessOrEqual : KeyOperator::kGreaterOrEqual;
    case Operator::kBetween:
      return KeyOperator::kBetween;
    default:
      return KeyOperator::kEqual;
  }
}

std::string IncorrectOperandTypeText(std::string_view function, std::string_view type) {
  std::string text = "Incorrect operand type for operator or function; operator or function: ";
  text += function;
  text += ", operand type: ";
  text += type;
  return text;
}

std::string IncorrectOperandCountText(std::string_view function, std::size_t count) {
  std::string text =
      "Incorrect number of operands for operator or function; operator or function: ";
  text += function;
  text += ", number of operands: " + std::to_string(count);
  return text;
}

std::string PathRequiredText(std::string_view function) {
  return "Operator or function requires a document path; operator or function: " +
         std::string(function);
}

}  // namespace hashrange
