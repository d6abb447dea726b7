// What the binders of all kinds of expressions share: parsing with the checks that precede it,
// the binding of paths and values, and messages. Pure functions, except that ParseChecked uses the
// ParseCache of the calling thread.
#pragma once

#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "expression/parser.h"
#include "expression/path.h"

namespace hashrange {

// Returns a ValidationException "Invalid <Kind>: <message>"; for a statement the message is
// the whole text.
Error ExpressionError(ExpressionKind kind, std::string_view message);

// Returns the parsed expression from the thread's cache. The Ast is valid until this thread parses
// another expression.
// Errors: ValidationException  the text is too long or empty, its syntax is wrong, or it has
//         an error that no names and values can avoid
Result<const Ast*> ParseChecked(ExpressionKind kind, std::string_view text);

// An Ast, and all from which its bound form is made.
struct AstBinding {
  ExpressionKind kind;
  const Ast& ast;
  std::string_view text;  // of the expression; of a statement, its names
  Placeholders& placeholders;
  Arena& arena;
};

// Returns the path of a node; its elements are in the arena and view the text or the request.
// Errors: ValidationException  a name is not defined; the path has more than kMaxPathElements
//         elements (a statement's path may have any number)
Result<Path> BindPath(const AstBinding& from, const AstNode& node);

// Returns the value of a node.
// Errors: ValidationException  the placeholder is not defined
Result<ValueView> BindValue(const AstBinding& from, const AstNode& node);

// Returns the operator of a key condition with the attribute on the left. `is_mirrored`: the
// attribute was written on the right, as in `:v <= sk`, which is `sk >= :v`.
KeyOperator KeyOperatorOf(Operator op, bool is_mirrored);

// The messages that several kinds of expressions share.
std::string IncorrectOperandTypeText(std::string_view function, std::string_view type);
std::string IncorrectOperandCountText(std::string_view function, std::size_t count);
std::string PathRequiredText(std::string_view function);

}  // namespace hashrange
