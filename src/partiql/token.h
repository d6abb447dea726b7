// Tokens: the words of a PartiQL statement (docs/service/11-partiql.md, section 2). Offsets into
// the text, so that a token outlives the text it was cut from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange::partiql {

// A statement has 8,192 UTF-16 units at most (the binder counts them).
inline constexpr std::size_t kMaxStatementBytes = 3 * 8192;

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,
  kQuotedIdentifier,  // "name"
  kKeyword,
  kOperator,  // of signs or a word: <=, AND, LIKE
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

// What a keyword or an operator is, where the grammar asks for it.
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

// Replaces `*tokens` by those of `text` (at most kMaxStatementBytes), closed by a kEnd. False
// when the text has something that is no token: another sign, an open quote or comment.
bool Tokenize(std::string_view text, std::vector<Token>* tokens);

// The text of a quoted token without its quotes, doubled ones single; any other as it is.
std::string Unquoted(std::string_view quoted);

// "2:27:11": line, column and length, counted from 1 in characters, as messages point at a token.
std::string PlaceOf(std::string_view text, const Token& token);

// The ASCII letters in lower case.
std::string LowerCase(std::string_view text);

}  // namespace hashrange::partiql
