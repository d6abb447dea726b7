// The parser of expressions: text → Ast. It does not recurse: nesting is a stack of frames in
// memory, at most as deep as the text is long. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "expression/ast.h"

namespace hashrange {

// The limits of docs/service/04-expressions.md, section 3. Calls of functions count as operators.
inline constexpr int kMaxOperators = 300;
inline constexpr int kMaxInOperands = 100;
inline constexpr std::uint64_t kMaxListIndex = 2147483647;

// Returns the Ast of `text`, which has at most kMaxExpressionBytes and not only blanks. An error is
// in Ast::error.
Ast ParseText(Grammar grammar, std::string_view text);

}  // namespace hashrange
