#include "expression/partiql/statement_token.h"

#include <algorithm>
#include <iterator>

#include "base/text/short_text.h"
#include "expression/word_list.h"
#include "wire/older_number.h"

namespace hashrange::partiql {
namespace {

struct KeywordRow {
  std::string_view word;
  WordClass word_class;
};

// In ascending order: the keywords that the parser looks for, and the words that are operators or
// literals.
constexpr KeywordRow kKeywordRows[] = {
    {"all", {TokenKind::kKeyword, Word::kAll}},
    {"and", {TokenKind::kOperator, Word::kAnd}},
    {"as", {TokenKind::kKeyword, Word::kAs}},
    {"asc", {TokenKind::kKeyword, Word::kAsc}},
    {"at", {TokenKind::kKeyword, Word::kAt}},
    {"avg", {TokenKind::kKeyword, Word::kFunction}},
    {"between", {TokenKind::kOperator, Word::kBetween}},
    {"bit_length", {TokenKind::kKeyword, Word::kFunction}},
    {"by", {TokenKind::kKeyword, Word::kBy}},
    {"char_length", {TokenKind::kKeyword, Word::kFunction}},
    {"character_length", {TokenKind::kKeyword, Word::kFunction}},
    {"coalesce", {TokenKind::kKeyword, Word::kFunction}},
    {"count", {TokenKind::kKeyword, Word::kFunction}},
    {"delete", {TokenKind::kKeyword, Word::kDelete}},
    {"desc", {TokenKind::kKeyword, Word::kDesc}},
    {"distinct", {TokenKind::kKeyword, Word::kDistinct}},
    {"except", {TokenKind::kOperator, Word::kOther}},
    {"exists", {TokenKind::kKeyword, Word::kExists}},
    {"false", {TokenKind::kFalse, Word::kOther}},
    {"from", {TokenKind::kKeyword, Word::kFrom}},
    {"in", {TokenKind::kOperator, Word::kIn}},
    {"insert", {TokenKind::kKeyword, Word::kInsert}},
    {"intersect", {TokenKind::kOperator, Word::kOther}},
    {"into", {TokenKind::kKeyword, Word::kInto}},
    {"is", {TokenKind::kOperator, Word::kIs}},
    {"like", {TokenKind::kOperator, Word::kLike}},
    {"lower", {TokenKind::kKeyword, Word::kFunction}},
    {"max", {TokenKind::kKeyword, Word::kFunction}},
    {"min", {TokenKind::kKeyword, Word::kFunction}},
    {"missing", {TokenKind::kMissing, Word::kOther}},
    {"modified", {TokenKind::kKeyword, Word::kModified}},
    {"new", {TokenKind::kKeyword, Word::kNew}},
    {"not", {TokenKind::kOperator, Word::kNot}},
    {"null", {TokenKind::kNull, Word::kOther}},
    {"nullif", {TokenKind::kKeyword, Word::kFunction}},
    {"octet_length", {TokenKind::kKeyword, Word::kFunction}},
    {"old", {TokenKind::kKeyword, Word::kOld}},
    {"or", {TokenKind::kOperator, Word::kOr}},
    {"order", {TokenKind::kKeyword, Word::kOrder}},
    {"remove", {TokenKind::kKeyword, Word::kRemove}},
    {"returning", {TokenKind::kKeyword, Word::kReturning}},
    {"select", {TokenKind::kKeyword, Word::kSelect}},
    {"set", {TokenKind::kKeyword, Word::kSet}},
    {"size", {TokenKind::kKeyword, Word::kFunction}},
    {"sum", {TokenKind::kKeyword, Word::kFunction}},
    {"true", {TokenKind::kTrue, Word::kOther}},
    {"union", {TokenKind::kOperator, Word::kOther}},
    {"update", {TokenKind::kKeyword, Word::kUpdate}},
    {"upper", {TokenKind::kKeyword, Word::kFunction}},
    {"value", {TokenKind::kKeyword, Word::kValue}},
    {"where", {TokenKind::kKeyword, Word::kWhere}},
};

// The other keywords, of SQL-92 and of PartiQL's additions to it. They are in ascending order, each
// followed by a blank.
constexpr std::string_view kOtherKeywords =
    "absolute action add allocate alter any are assertion authorization bag begin bit "
    "blob bool boolean cascade cascaded case cast catalog char character check clob close "
    "collate collation column commit conflict connect connection constraint constraints "
    "continue convert corresponding create cross current current_date current_time "
    "current_timestamp current_user cursor date date_add date_diff deallocate dec decimal "
    "declare default deferrable deferred describe descriptor diagnostics disconnect do "
    "domain double drop else end escape exception exec execute external extract fetch "
    "first float for foreign found full get global go goto grant group having identity "
    "immediate index indicator initially inner input insensitive int integer interval "
    "isolation join key language last left let level limit list local match module names "
    "national natural nchar next no nothing numeric of offset on only open option outer "
    "output overlaps pad partial pivot position precision prepare preserve primary prior "
    "privileges procedure public read real references relative restrict revoke right "
    "rollback rows schema scroll section session session_user sexp smallint some space "
    "sql sqlcode sqlerror sqlstate string struct substring symbol system_user table "
    "temporary then time timestamp to transaction translate translation trim tuple unique "
    "unknown unpivot usage user using values varchar varying view when whenever with work "
    "write zone ";

constexpr auto kOtherWords = WordsIn<192>(kOtherKeywords);
static_assert(kOtherWords.back() == "zone" && kOtherKeywords.ends_with("zone "));
static_assert(std::ranges::is_sorted(kOtherWords));

// Each name is between two commas.
constexpr std::string_view kTypeNames =
    ","
    "bag,blob,bool,boolean,char,character,character varying,clob,date,dec,decimal,"
    "double precision,float,int,int2,int4,int8,integer,integer2,integer4,integer8,list,"
    "missing,null,numeric,real,sexp,smallint,string,struct,symbol,time,timestamp,tuple,"
    "varchar,";

// Precedences: a higher number binds more tightly.
constexpr int kSetOperators = 5;
constexpr int kLogicalOr = 10;
constexpr int kLogicalAnd = 20;
constexpr int kLogicalNot = 30;
constexpr int kEquality = 40;
constexpr int kComparison = 50;
constexpr int kAddition = 60;
constexpr int kMultiplication = 70;

// Returns the precedence of an operator that the grammar has and DynamoDB does not support.
int PrecedenceOfOther(std::string_view sign) {
  if (sign == "||") return kAddition;
  if (sign == "/" || sign == "%" || sign == "*") return kMultiplication;
  return sign == "@" || sign == "^" ? 0 : kSetOperators;
}

}  // namespace

WordClass ClassifyWord(std::string_view word) {
  constexpr std::size_t kMaxLength = 20;  // no word of the two lists is longer
  if (word.size() > kMaxLength) return {};
  const std::string lower = LowerCase(word);
  const auto row =
      std::ranges::lower_bound(kKeywordRows, std::string_view(lower), {}, &KeywordRow::word);
  if (row != std::end(kKeywordRows) && row->word == lower) return row->word_class;
  const bool is_keyword = std::ranges::binary_search(kOtherWords, std::string_view(lower));
  return {is_keyword ? TokenKind::kKeyword : TokenKind::kIdentifier, Word::kOther};
}

bool IsTypeName(std::string_view words) {
  return kTypeNames.find("," + LowerCase(words) + ",") != std::string_view::npos;
}

int PrecedenceOf(Word op, std::string_view text) {
  switch (op) {
    case Word::kOr:
      return kLogicalOr;
    case Word::kAnd:
      return kLogicalAnd;
    case Word::kEqual:
    case Word::kNotEqual:
    case Word::kIs:
    case Word::kIn:
      return kEquality;
    case Word::kLess:
    case Word::kLessOrEqual:
    case Word::kGreater:
    case Word::kGreaterOrEqual:
    case Word::kBetween:
    case Word::kLike:
      return kComparison;
    case Word::kPlus:
    case Word::kMinus:
      return kAddition;
    case Word::kNot:
      return kLogicalNot;
    case Word::kOther:
      return PrecedenceOfOther(LowerCase(text));
    default:
      return 0;
  }
}

namespace {

constexpr bool IsWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c); }
constexpr bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct SignRow {
  std::string_view sign;
  TokenKind kind;
  Word word = Word::kOther;
};
// The most frequent signs come first; a sign comes after those that begin with it.
constexpr SignRow kSigns[] = {
    {"?", TokenKind::kParameter},
    {"=", TokenKind::kOperator, Word::kEqual},
    {",", TokenKind::kComma},
    {".", TokenKind::kDot},
    {"*", TokenKind::kStar},
    {"(", TokenKind::kOpen},
    {")", TokenKind::kClose},
    {"[", TokenKind::kOpenBracket},
    {"]", TokenKind::kCloseBracket},
    {":", TokenKind::kColon},
    {"{", TokenKind::kOpenCurly},
    {"}", TokenKind::kCloseCurly},
    {"<>", TokenKind::kOperator, Word::kNotEqual},
    {"<=", TokenKind::kOperator, Word::kLessOrEqual},
    {"<<", TokenKind::kOpenBag},
    {"<", TokenKind::kOperator, Word::kLess},
    {">=", TokenKind::kOperator, Word::kGreaterOrEqual},
    {">>", TokenKind::kCloseBag},
    {">", TokenKind::kOperator, Word::kGreater},
    {"!=", TokenKind::kOperator, Word::kNotEqual},
    {"+", TokenKind::kOperator, Word::kPlus},
    {"-", TokenKind::kOperator, Word::kMinus},
    {"/", TokenKind::kOperator},
    {"%", TokenKind::kOperator},
    {"||", TokenKind::kOperator},
    {"^", TokenKind::kOperator},
    {"@", TokenKind::kOperator},
    {";", TokenKind::kSemicolon},
};

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
    return ReadSign();
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

  bool ReadSign() {
    const std::string_view rest = text_.substr(at_);
    for (const SignRow& row : kSigns) {
      if (rest.starts_with(row.sign)) return AddToken(row.kind, row.word, row.sign.size());
    }
    return false;
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
