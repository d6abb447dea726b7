#include "expression/partiql/keywords.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/lower_case.h"
#include "expression/word_list.h"

namespace hashrange::partiql {
namespace {

struct Row {
  std::string_view word;
  WordClass word_class;
};

// In ascending order: the keywords that the parser looks for, and the words that are operators or
// literals.
constexpr Row kRows[] = {
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

// The other keywords: those of SQL-92 and the additions of PartiQL. In ascending order, each
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

constexpr auto kKeywords = WordsIn<192>(kOtherKeywords);
static_assert(kKeywords.back() == "zone" && kOtherKeywords.ends_with("zone "));
static_assert(std::ranges::is_sorted(kKeywords));

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
  const auto row = std::ranges::lower_bound(kRows, std::string_view(lower), {}, &Row::word);
  if (row != std::end(kRows) && row->word == lower) return row->word_class;
  const bool is_keyword = std::ranges::binary_search(kKeywords, std::string_view(lower));
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

}  // namespace hashrange::partiql
