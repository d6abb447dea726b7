#include <array>

#include "base/text/short_text.h"
#include "expression/token.h"

namespace hashrange {
namespace {

constexpr bool IsWordPart(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }
constexpr bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

struct KeywordRow {
  std::string_view upper;
  Keyword keyword;
};
constexpr std::array<KeywordRow, 9> kKeywords = {{{"AND", Keyword::kAnd},
                                                  {"OR", Keyword::kOr},
                                                  {"NOT", Keyword::kNot},
                                                  {"IN", Keyword::kIn},
                                                  {"BETWEEN", Keyword::kBetween},
                                                  {"SET", Keyword::kSet},
                                                  {"REMOVE", Keyword::kRemove},
                                                  {"ADD", Keyword::kAdd},
                                                  {"DELETE", Keyword::kDelete}}};

bool IsAnyCase(std::string_view word, std::string_view upper) {
  if (word.size() != upper.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    // Clearing the case bit is exact here: only letters become the letters of a keyword.
    if (static_cast<char>(word[i] & ~0x20) != upper[i]) return false;
  }
  return true;
}

Keyword KeywordOf(std::string_view word) {
  for (const KeywordRow& row : kKeywords) {
    if (IsAnyCase(word, row.upper)) return row.keyword;
  }
  return Keyword::kNone;
}

TokenKind PunctuationOf(char c) {
  switch (c) {
    case '.':
      return TokenKind::kDot;
    case ',':
      return TokenKind::kComma;
    case '(':
      return TokenKind::kOpen;
    case ')':
      return TokenKind::kClose;
    case '[':
      return TokenKind::kOpenBracket;
    case ']':
      return TokenKind::kCloseBracket;
    case '=':
      return TokenKind::kEqual;
    case '<':
      return TokenKind::kLess;
    case '>':
      return TokenKind::kGreater;
    case '+':
      return TokenKind::kPlus;
    case '-':
      return TokenKind::kMinus;
    default:
      return TokenKind::kUnknown;
  }
}

// Returns the token `<>`, `<=` or `>=`, or the one that `c` makes alone.
TokenKind ComparatorOf(char c, char next, std::size_t* size) {
  *size = 2;
  if (c == '<' && next == '>') return TokenKind::kNotEqual;
  if (c == '<' && next == '=') return TokenKind::kLessOrEqual;
  if (c == '>' && next == '=') return TokenKind::kGreaterOrEqual;
  *size = 1;
  return PunctuationOf(c);
}

// Returns the number of characters from `from` on that satisfy `holds`, without a gap.
template <typename Predicate>
std::size_t RunLength(std::string_view text, std::size_t from, Predicate holds) {
  std::size_t end = from;
  while (end < text.size() && holds(text[end])) ++end;
  return end - from;
}

// Returns the kind of the token that begins at `at`, and sets its size. There is no blank at `at`.
TokenKind ScanToken(std::string_view text, std::size_t at, std::size_t* size) {
  const char c = text[at];
  if (IsLetter(c)) {
    *size = RunLength(text, at, IsWordPart);
    return TokenKind::kIdentifier;
  }
  if (IsDigit(c)) {
    *size = RunLength(text, at, IsDigit);
    return TokenKind::kDigits;
  }
  if (c == '#' || c == ':') {
    *size = 1 + RunLength(text, at + 1, IsWordPart);
    if (*size == 1) return TokenKind::kUnknown;
    return c == '#' ? TokenKind::kNamePlaceholder : TokenKind::kValuePlaceholder;
  }
  const TokenKind kind = ComparatorOf(c, at + 1 < text.size() ? text[at + 1] : '\0', size);
  if (kind == TokenKind::kUnknown) {
    // The token is a whole character, so that a message never cuts one.
    *size = 1 + RunLength(text, at + 1, [](char b) { return (b & 0xC0) == 0x80; });
  }
  return kind;
}

}  // namespace

bool IsPlainName(std::string_view name) {
  return !name.empty() && IsLetter(name.front()) && RunLength(name, 0, IsWordPart) == name.size() &&
         KeywordOf(name) == Keyword::kNone;
}

void Tokenize(std::string_view text, std::vector<Token>* tokens) {
  tokens->clear();
  std::size_t at = RunLength(text, 0, IsBlank);
  while (at < text.size()) {
    std::size_t size = 0;
    Token token;
    token.kind = ScanToken(text, at, &size);
    token.slice = {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(size)};
    if (token.kind == TokenKind::kIdentifier) token.keyword = KeywordOf(token.slice.In(text));
    tokens->push_back(token);
    at += size;
    at += RunLength(text, at, IsBlank);
  }
  tokens->push_back({TokenKind::kEnd, Keyword::kNone, {static_cast<std::uint16_t>(at), 0}});
}

}  // namespace hashrange
