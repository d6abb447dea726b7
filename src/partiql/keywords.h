// Keywords: the words of PartiQL that are identifiers only when they are quoted. Words are
// compared without regard to case. Pure functions.
#pragma once

#include <string_view>

#include "partiql/statement_token.h"

namespace hashrange::partiql {

// The class of a word: a keyword, an operator, a literal, or kIdentifier.
struct WordClass {
  TokenKind kind = TokenKind::kIdentifier;
  Word word = Word::kOther;
};
WordClass ClassifyWord(std::string_view word);

// Returns whether the words name a type that IS accepts: "STRING", "double precision".
bool IsTypeName(std::string_view words);

// Returns how tightly an operator binds: a higher number binds more tightly; 0: it is no infix
// operator. `text` is the operator's text, needed for kOther: an operator that the grammar has and
// DynamoDB does not support.
int PrecedenceOf(Word op, std::string_view text);

}  // namespace hashrange::partiql
