// Keywords: the words of PartiQL that are no identifiers unless they are quoted. Any case.
#pragma once

#include <string_view>

#include "partiql/token.h"

namespace hashrange::partiql {

// What the word is: a keyword, an operator, a literal, or kIdentifier.
struct WordClass {
  TokenKind kind = TokenKind::kIdentifier;
  Word word = Word::kOther;
};
WordClass ClassOf(std::string_view word);

// Whether the words name a type, as IS takes one: "STRING", "double precision".
bool IsTypeName(std::string_view words);

}  // namespace hashrange::partiql
