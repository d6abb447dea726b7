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
WordClass ClassifyWord(std::string_view word);

// Whether the words name a type, as IS takes one: "STRING", "double precision".
bool IsTypeName(std::string_view words);

// How tightly an operator binds, higher more so; 0: it joins nothing. `text` is what kOther stands
// for, an operator of the grammar and of nothing in DynamoDB.
int PrecedenceOf(Word op, std::string_view text);

}  // namespace hashrange::partiql
