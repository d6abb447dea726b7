// Keywords: the words of PartiQL that are identifiers only when they are quoted. Words are
// compared without regard to case. Pure functions.
#pragma once

#include <string_view>

#include "expression/partiql/statement_token.h"

namespace hashrange::partiql {

struct WordClass {
  TokenKind kind = TokenKind::kIdentifier;
  Word word = Word::kOther;
};
// Returns the class of an unquoted word: a keyword, an operator, a literal, or kIdentifier.
WordClass ClassifyWord(std::string_view word);

// Returns whether the words name a type that IS accepts: "STRING", "double precision".
bool IsTypeName(std::string_view words);

// Returns how tightly an operator binds: a higher number binds more tightly. 0: the word or sign is
// no operator of an expression. `text` is the operator's text, needed for kOther: an operator that
// the grammar has and DynamoDB does not support.
int PrecedenceOf(Word op, std::string_view text);

}  // namespace hashrange::partiql
