// Tokens: the words of a PartiQL statement (docs/service/11-partiql.md, section 2). A token holds
// offsets into the text, so that it may outlive the text. An unquoted word may be a keyword; words
// are compared without regard to case. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange::partiql {

// A statement has at most 8,192 UTF-16 units (the binder checks it), each up to three bytes.
inline constexpr std::size_t kMaxStatementBytes = 3 * 8192;

// kString to kParameter are the leaves of expressions; the parser relies on their order.
enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,
  kQuotedIdentifier,  // "name"
  kKeyword,
  kOperator,  // made of signs or a word: <=, AND, LIKE
  kString,    // 'text'
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kMissing,
  kParameter,  // ?
  kDot,
  kComma,
  kColon,
  kSemicolon,
  kStar,
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kOpenCurly,
  kCloseCurly,
  kOpenBag,   // <<
  kCloseBag,  // >>
};

// The keywords and operators that the parser distinguishes. The comparators have the order of
// Operator (expression/parser.h).
enum class Word : std::uint8_t {
  kOther,
  // Operators.
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kAnd,
  kOr,
  kNot,
  kIs,
  kIn,
  kBetween,
  kLike,
  // Keywords.
  kAll,
  kAs,
  kAsc,
  kAt,
  kBy,
  kDelete,
  kDesc,
  kDistinct,
  kExists,
  kFrom,
  kInsert,
  kInto,
  kModified,
  kNew,
  kOld,
  kOrder,
  kRemove,
  kReturning,
  kSelect,
  kSet,
  kUpdate,
  kValue,
  kWhere,
  kFunction,  // a keyword that names a function, in front of a parenthesis
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Word word = Word::kOther;
  std::uint16_t offset = 0;
  std::uint16_t size = 0;  // quotes included

  std::string_view In(std::string_view text) const { return text.substr(offset, size); }
};

// Replaces `*tokens` by the tokens of `text` (at most kMaxStatementBytes) and a final kEnd. False
// when the text has something that is no token: an unknown sign, a number that cannot be converted,
// a quote or comment that is not closed.
bool Tokenize(std::string_view text, std::vector<Token>* tokens);

// Returns the text of a quoted token without its quotes, in which two quotes in a row are one;
// another text unchanged.
std::string Unquoted(std::string_view quoted);

// Returns the place of a token as messages print it, "2:27:11": line and column, counted from 1,
// and length in characters.
std::string PlaceOf(std::string_view text, const Token& token);

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
