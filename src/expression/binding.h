// What the binders of all kinds share: the checks before the syntax, and paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "expression/ast.h"
#include "expression/expression.h"
#include "expression/path.h"

namespace hashrange {

// ValidationException "Invalid <Kind>: <message>"; of a statement the message alone.
Error ExpressionError(ExpressionKind kind, std::string_view message);

// The parsed expression, from the thread's cache: valid until the next one is parsed.
// Errors: ValidationException  its size, an empty one, its syntax, or what is wrong
//         with it whatever the names and values are
Result<const Ast*> ParseChecked(ExpressionKind kind, std::string_view text);

// The path of a node, its names in the arena or the request.
// Errors: ValidationException  a name is not defined; more than kMaxPathElements elements,
//         of a statement any number
Result<Path> BindPath(ExpressionKind kind, const Ast& ast, const AstNode& node,
                      std::string_view text, Placeholders& placeholders, Arena& arena);

// The value of a node.
// Errors: ValidationException  it is not defined
Result<ValueView> BindValue(ExpressionKind kind, const AstNode& node, std::string_view text,
                            Placeholders& placeholders);

// The texts that several kinds share.
std::string IncorrectOperandTypeText(std::string_view function, std::string_view type);
std::string IncorrectOperandCountText(std::string_view function, std::size_t count);
std::string PathRequiredText(std::string_view function);

}  // namespace hashrange
