// Tokens: the words of an expression, with one lexer for all kinds of expressions
// (docs/service/04-expressions.md, section 4). A token holds offsets into the text, so that it may
// outlive the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hashrange {

inline constexpr std::size_t kMaxExpressionBytes = 4096;

// The comparators have the order of Operator (parser.h).
enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,
  kNamePlaceholder,   // #name
  kValuePlaceholder,  // :value
  kDigits,
  kDot,
  kComma,
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kUnknown,  // no rule accepts it: a foreign character, a lone # or :, the _ before a word
};

// Words that have a meaning in some of the grammars; in the others they are identifiers. The words
// of conditions come first; the words of updates have the order of UpdateVerb (expression.h).
enum class Keyword : std::uint8_t {
  kNone,
  kAnd,
  kOr,
  kNot,
  kIn,
  kBetween,
  kSet,
  kRemove,
  kAdd,
  kDelete,
};

// A piece of an expression's text.
struct TextSlice {
  std::uint16_t offset = 0;
  std::uint16_t size = 0;

  std::string_view In(std::string_view text) const { return text.substr(offset, size); }
  std::uint16_t end() const { return static_cast<std::uint16_t>(offset + size); }
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Keyword keyword = Keyword::kNone;  // kIdentifier: the keyword that the word may be
  TextSlice slice;
};

// Replaces `*tokens` by the tokens of `text` (at most kMaxExpressionBytes) and a final kEnd.
void Tokenize(std::string_view text, std::vector<Token>* tokens);

// Returns whether `name` is one kIdentifier and no keyword. (It may be a reserved word.)
bool IsPlainName(std::string_view name);

}  // namespace hashrange
