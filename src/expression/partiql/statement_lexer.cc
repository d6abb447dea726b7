// Defines the functions of statement_token.h.
#include <algorithm>

#include "expression/partiql/keywords.h"
#include "expression/partiql/statement_token.h"
#include "wire/older_number.h"

namespace hashrange::partiql {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c); }
constexpr bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<Token>* tokens) : text_(text), tokens_(tokens) {}

  bool TokenizeText() {
    for (;;) {
      if (!SkipBlanks()) return false;
      if (at_ == text_.size()) break;
      if (!ReadToken()) return false;
    }
    AddToken(TokenKind::kEnd, Word::kOther, 0);
    return true;
  }

 private:
  char Peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Skips blanks and comments. False when a comment is not closed.
  bool SkipBlanks() {
    while (at_ < text_.size()) {
      if (IsBlank(text_[at_])) {
        ++at_;
      } else if (Peek(0) == '-' && Peek(1) == '-') {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (Peek(0) == '/' && Peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return false;
        at_ = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  bool ReadToken() {
    const char c = text_[at_];
    if (IsWordStart(c)) {
      const std::size_t size = RunLength(IsWordPart, 1);
      const WordClass word = ClassifyWord(text_.substr(at_, size));
      return AddToken(word.kind, word.word, size);
    }
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber();
    if (c == '\'') return ReadQuoted(TokenKind::kString);
    if (c == '"') return ReadQuoted(TokenKind::kQuotedIdentifier);
    return ReadOperator() || ReadPunctuation();
  }

  // Returns the size of a token: `from` characters, and all that follow them while `holds` is true.
  template <typename Predicate>
  std::size_t RunLength(Predicate holds, std::size_t from) const {
    std::size_t size = from;
    while (at_ + size < text_.size() && holds(text_[at_ + size])) ++size;
    return size;
  }

  bool ReadNumber() {
    std::size_t size = RunLength(IsDigit, 0);
    if (Peek(size) == '.') size = RunLength(IsDigit, size + 1);
    if (Peek(size) == 'e' || Peek(size) == 'E') {
      ++size;
      if (Peek(size) == '+' || Peek(size) == '-') ++size;
      if (!IsDigit(Peek(size))) return false;
      size = RunLength(IsDigit, size);
    }
    // A number that cannot be converted at all is no literal.
    if (IsWordStart(Peek(size)) || !FitsDecimal(text_.substr(at_, size))) return false;
    return AddToken(TokenKind::kNumber, Word::kOther, size);
  }

  // Two quotes in a row mean one quote of the text.
  bool ReadQuoted(TokenKind kind) {
    const char quote = text_[at_];
    std::size_t size = 1;
    for (;;) {
      const std::size_t end = text_.find(quote, at_ + size);
      if (end == std::string_view::npos) return false;
      size = end + 1 - at_;
      if (Peek(size) != quote) return AddToken(kind, Word::kOther, size);
      ++size;
    }
  }

  bool ReadOperator() {
    struct Row {
      std::string_view signs;
      Word word;
    };
    static constexpr Row kRows[] = {
        {"<>", Word::kNotEqual},    {"!=", Word::kNotEqual},
        {"<=", Word::kLessOrEqual}, {">=", Word::kGreaterOrEqual},
        {"||", Word::kOther},       {"=", Word::kEqual},
        {"+", Word::kPlus},         {"-", Word::kMinus},
        {"/", Word::kOther},        {"%", Word::kOther},
        {"^", Word::kOther},        {"@", Word::kOther},
    };
    const std::string_view rest = text_.substr(at_);
    for (const Row& row : kRows) {
      if (rest.starts_with(row.signs))
        return AddToken(TokenKind::kOperator, row.word, row.signs.size());
    }
    if (rest.starts_with("<<") || rest.starts_with(">>")) return false;
    if (rest[0] == '<') return AddToken(TokenKind::kOperator, Word::kLess, 1);
    return rest[0] == '>' && AddToken(TokenKind::kOperator, Word::kGreater, 1);
  }

  bool ReadPunctuation() {
    switch (text_[at_]) {
      // Only << and >> are left: ReadOperator has taken every single < and >.
      case '<':
        return AddToken(TokenKind::kOpenBag, Word::kOther, 2);
      case '>':
        return AddToken(TokenKind::kCloseBag, Word::kOther, 2);
      case '?':
        return AddToken(TokenKind::kParameter, Word::kOther, 1);
      case '.':
        return AddToken(TokenKind::kDot, Word::kOther, 1);
      case ',':
        return AddToken(TokenKind::kComma, Word::kOther, 1);
      case ':':
        return AddToken(TokenKind::kColon, Word::kOther, 1);
      case ';':
        return AddToken(TokenKind::kSemicolon, Word::kOther, 1);
      case '*':
        return AddToken(TokenKind::kStar, Word::kOther, 1);
      case '(':
        return AddToken(TokenKind::kOpen, Word::kOther, 1);
      case ')':
        return AddToken(TokenKind::kClose, Word::kOther, 1);
      case '[':
        return AddToken(TokenKind::kOpenBracket, Word::kOther, 1);
      case ']':
        return AddToken(TokenKind::kCloseBracket, Word::kOther, 1);
      case '{':
        return AddToken(TokenKind::kOpenCurly, Word::kOther, 1);
      case '}':
        return AddToken(TokenKind::kCloseCurly, Word::kOther, 1);
      default:
        return false;
    }
  }

  // Adds the token of `size` bytes at the cursor. Returns true.
  bool AddToken(TokenKind kind, Word word, std::size_t size) {
    tokens_->push_back(
        {kind, word, static_cast<std::uint16_t>(at_), static_cast<std::uint16_t>(size)});
    at_ += size;
    return true;
  }

  const std::string_view text_;
  std::vector<Token>* const tokens_;
  std::size_t at_ = 0;
};

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace

bool Tokenize(std::string_view text, std::vector<Token>* tokens) {
  tokens->clear();
  return Lexer(text, tokens).TokenizeText();
}

std::string Unquoted(std::string_view quoted) {
  if (quoted.empty() || (quoted[0] != '\'' && quoted[0] != '"')) return std::string(quoted);
  const char quote = quoted[0];
  std::string text;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    text += quoted[i];
    if (quoted[i] == quote) ++i;
  }
  return text;
}

std::string PlaceOf(std::string_view text, const Token& token) {
  const std::string_view before = text.substr(0, token.offset);
  const std::size_t line_begin = before.find_last_of('\n') + 1;
  std::size_t line = 1;
  for (const char c : before) line += c == '\n';
  return std::to_string(line) + ":" +
         std::to_string(CountCharacters(before.substr(line_begin)) + 1) + ":" +
         std::to_string(CountCharacters(token.In(text)));
}

}  // namespace hashrange::partiql
