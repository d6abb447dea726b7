#include <gtest/gtest.h>

#include <string>

#include "expression/binding.h"
#include "expression/error_matrix.h"
#include "expression/expression_fixture.h"
#include "expression/parser.h"
#include "expression/update.h"

namespace hashrange::testing {
namespace {

void UpdateCheck(std::span<const ErrorCase> cases) {
  CheckErrors(ExpressionKind::kUpdate, cases, {{"#a", "a"}, {"#d", "data"}});
}

constexpr std::string_view kFunction = "Invalid function name; function: ";
constexpr std::string_view kOverlap =
    "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
    "one: ";
constexpr std::string_view kConflict =
    "Two document paths conflict with each other; must remove or rewrite one of these paths; path "
    "one: ";
constexpr std::string_view kSection = "Incorrect operand type for operator or function; operator: ";
constexpr std::string_view kUpdatePlace =
    "The function is not allowed to be used this way in an expression; function: list_append";
constexpr std::string_view kUpdatePath =
    "Operator or function requires a document path; operator or function: if_not_exists";

TEST(UpdateErrors, NamesFunctionsAndSections) {
  static constexpr ErrorCase kCases[] = {
      {"SET data = :s", kReserved, "data"},
      {"SET a = a.Name", kReserved, "Name"},
      {"REMOVE a.and", kReserved, "and"},
      {"SET a = foo(b, :s)", kFunction, "foo"},
      {"SET a = List_Append(b, :l)", kFunction, "List_Append"},
      {"SET a = size(b)", "The function is not allowed in an update expression; function: size"},
      {"SET a = :s SET b = :s",
       "The \"SET\" section can only be used once in an update expression;"},
      {"REMOVE a REMOVE b",
       "The \"REMOVE\" section can only be used once in an update expression;"},
      {"ADD a :n ADD b :n", "The \"ADD\" section can only be used once in an update expression;"},
      {"DELETE a :ss delete b :ss",
       "The \"DELETE\" section can only be used once in an update expression;"},
      {"SET #x = :s", kNoName, "#x"},
      {"SET a = #x", kNoName, "#x"},
      {"SET a = :x", kNoValue, ":x"},
      {"ADD a :x", kNoValue, ":x"},
  };
  UpdateCheck(kCases);
}

TEST(UpdateErrors, TargetsMustBeDistinct) {
  static constexpr ErrorCase kCases[] = {
      {"SET a = :s, a = :n", kOverlap, "[a], path two: [a]"},
      {"SET a = :s REMOVE #a", kOverlap, "[a], path two: [a]"},
      {"SET c[1].a = :s REMOVE c", kOverlap, "[c, [1], a], path two: [c]"},
      {"REMOVE c SET c[1].a = :s", kOverlap, "[c], path two: [c, [1], a]"},
      {"SET a.c = :s, a[1] = :s", kConflict, "[a, c], path two: [a, [1]]"},
      {"SET a.c = :s ADD a[1] :n DELETE b :ss REMOVE b.d", kOverlap, "[b], path two: [b, d]"},
      {"SET a = b, b = a", "ok"},
      {"SET a.b = a, a.c = a.b", "ok"},
      {"REMOVE a[0], a[1]", "ok"},
  };
  UpdateCheck(kCases);
}

TEST(UpdateErrors, OperandsOfAddAndDelete) {
  static constexpr ErrorCase kCases[] = {
      {"ADD a :s", kSection, "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :b", kSection, "ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :null", kSection, "ADD, operand type: NULL, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :bool", kSection, "ADD, operand type: BOOLEAN, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :l", kSection, "ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :map", kSection, "ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"DELETE a :n", kSection,
       "DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"DELETE a :s", kSection,
       "DELETE, operand type: STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"ADD a :n, b :ss, c :ns, d :bs DELETE e :ss, f :ns, g :bs", "ok"},
  };
  UpdateCheck(kCases);
}

TEST(UpdateErrors, OperandsOfFunctionsAndSums) {
  static constexpr ErrorCase kCases[] = {
      {"SET a = list_append(b)", kCount, "list_append, number of operands: 1"},
      {"SET a = list_append(b, :l, :l)", kCount, "list_append, number of operands: 3"},
      {"SET a = if_not_exists(b)", kCount, "if_not_exists, number of operands: 1"},
      {"SET a = if_not_exists(:s, :n)", kUpdatePath},
      {"SET a = if_not_exists(if_not_exists(b, :n), :n)", kUpdatePath},
      {"SET a = b + :s", kType, "+, operand type: S"},
      {"SET a = :ns - b", kType, "-, operand type: NS"},
      {"SET a = :bool + :s", kType, "+, operand type: BOOL"},
      {"SET a = list_append(b, :s)", kType, "list_append, operand type: S"},
      {"SET a = list_append(:map, b)", kType, "list_append, operand type: M"},
      {"SET a = if_not_exists(b, :map)", "ok"},
      {"SET a = list_append(:l, if_not_exists(b, :s))", "ok"},
      {"SET a = if_not_exists(b, :s) + :n", "ok"},
  };
  UpdateCheck(kCases);
}

TEST(UpdateErrors, ListAppendIsAWholeValue) {
  static constexpr ErrorCase kCases[] = {
      {"SET a = list_append(list_append(b, :l), :l)", kUpdatePlace},
      {"SET a = list_append(b, list_append(c, :l))", kUpdatePlace},
      {"SET a = if_not_exists(b, list_append(c, :l))", kUpdatePlace},
      {"SET a = if_not_exists(b, (list_append(c, :l)))", kUpdatePlace},
      {"SET a = if_not_exists(list_append(b, :l), :n)", kUpdatePlace},
      {"SET a = list_append(b, :l) + :n", kUpdatePlace},
      {"SET a = :n - (list_append(b, :l))", kUpdatePlace},
      {"SET a = :n, b = list_append(if_not_exists(b, list_append(c, :l)), :l)", kUpdatePlace},
      {"SET a = (list_append(b, :l))", "ok"},
      {"SET a = list_append(if_not_exists(a, :l), if_not_exists(b, :l))", "ok"},
      {"SET a = if_not_exists(a, if_not_exists(b, :l))", "ok"},
      // This check follows the check of ADD's operand and precedes the count of arguments.
      {"SET a = list_append(list_append(b)) ADD c :s", kSection,
       "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"SET a = list_append(b), c = if_not_exists(list_append(:s), :n)", kUpdatePlace},
      {"SET a = list_append(b, :s), c = list_append(b, :l) + :n", kUpdatePlace},
  };
  UpdateCheck(kCases);
}

TEST(UpdateErrors, Precedence) {
  static constexpr ErrorCase kCases[] = {
      {"SET a = foo(data) SET b", "Syntax error; token: \"<EOF>\", near: \"b\""},
      {"SET a = foo(data, :x) SET b = :x", kReserved, "data"},
      {"SET a = foo(b, :x) SET b = :x", kFunction, "foo"},
      {"SET a = #x SET b = :x",
       "The \"SET\" section can only be used once in an update expression;"},
      {"SET a = :x, b = #x", kNoName, "#x"},
      {"SET a = :s, a = :x", kNoValue, ":x"},
      {"ADD a :s, b :n, b :n", kOverlap, "[b], path two: [b]"},
      {"ADD a :s, b.c :n, b[0] :n", kConflict, "[b, c], path two: [b, [0]]"},
      {"SET a = list_append(b) ADD c :s", kSection,
       "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"SET a = if_not_exists(:s, :n), b = list_append(b)", kCount,
       "list_append, number of operands: 1"},
      {"SET a = b + :s, c = if_not_exists(:s, :n)", kUpdatePath},
  };
  UpdateCheck(kCases);
}

// Returns the error message of applying an update, or "ok".
std::string ApplyMessage(std::string_view text) {
  const TestItem item({{"n", N("1")},
                       {"s", S("s")},
                       {"l", L({N("1"), L({})})},
                       {"mm", M({{"a", N("1")}})},
                       {"ss", SS({"x"})},
                       {"ns", NS({"1"})},
                       {"huge", N("9.9E125")},
                       {"tiny", N("1E-130")}});
  std::vector<ValueView> deep = {S("x")};
  while (deep.size() < 32) deep.push_back(L({deep.back()}));
  Request request({}, {{":n", N("1")},
                       {":s", S("s")},
                       {":l", L({N("1")})},
                       {":huge", N("9E125")},
                       {":tiny", N("1.1E-130")},
                       {":many", N("1E37")},
                       {":tenth", N("0.1")},
                       {":deep", deep[31]},
                       {":toodeep", L({deep[31]})},
                       {":ss", SS({"y"})},
                       {":ns", NS({"1"})}});
  Arena arena;
  const Result<Update> update = BindUpdate(text, request.placeholders(), arena);
  if (!update.ok()) return "not bound: " + update.error().message;
  const auto attributes = update->Apply(item.view(), {}, arena);
  return attributes.ok() ? "ok" : attributes.error().message;
}

TEST(UpdateErrors, RunTime) {
  constexpr std::string_view kMissing =
      "The provided expression refers to an attribute that does not exist in the item";
  constexpr std::string_view kWrongType =
      "An operand in the update expression has an incorrect data type";
  constexpr std::string_view kBadPath =
      "The document path provided in the update expression is invalid for update";
  constexpr std::string_view kTooDeep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  constexpr std::string_view kOverflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  constexpr std::string_view kUnderflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  static constexpr ErrorCase kCases[] = {
      {"SET a = x", kMissing},
      {"SET a = mm.x", kMissing},
      {"SET a = x + :n", kMissing},
      {"SET a = list_append(x, :l)", kMissing},
      {"SET a = list_append(:l, l[7])", kMissing},
      {"SET a = if_not_exists(x, y)", kMissing},
      {"SET a = if_not_exists(n, y)", "ok"},
      {"SET a = s + :n", kWrongType},
      {"SET a = :n - ss", kWrongType},
      {"SET a = list_append(l, l) ", "ok"},
      {"SET a = list_append(s, :l)", kWrongType},
      {"SET a = list_append(:l, mm)", kWrongType},
      {"SET a = if_not_exists(x, l) + :n", kWrongType},
      {"ADD s :n", kWrongType},
      {"ADD n :ss", kWrongType},
      {"ADD ss :ns", kWrongType},
      {"ADD mm.a :ss", kWrongType},
      {"DELETE n :ss", kWrongType},
      {"DELETE ns :ss", kWrongType},
      {"DELETE l :ss", kWrongType},
      {"SET x.a = :n", kBadPath},
      {"SET x[0] = :n", kBadPath},
      {"SET s.a = :n", kBadPath},
      {"SET l.a = :n", kBadPath},
      {"SET mm[0] = :n", kBadPath},
      {"SET mm.x.y = :n", kBadPath},
      {"SET l[5].a = :n", kBadPath},
      {"REMOVE x.a", kBadPath},
      {"REMOVE x[0]", kBadPath},
      {"REMOVE mm[0]", kBadPath},
      {"REMOVE mm.x.y", kBadPath},
      {"REMOVE mm.x, l[9], x", "ok"},
      {"ADD x.a :n", kBadPath},
      {"DELETE x.a :ss", kBadPath},
      {"DELETE x :ss, mm.x :ss", "ok"},
      {"SET a = huge + :huge", kOverflow},
      {"ADD huge :huge", kOverflow},
      {"SET a = :tiny - tiny", kUnderflow},
      {"SET a = :many + :tenth", kOverflow},
      {"SET a = :deep", "ok"},
      {"SET a = :toodeep", kTooDeep},
      {"SET mm.a = :deep", kTooDeep},
      {"SET l[0] = :deep", kTooDeep},
      {"SET a = list_append(l, :deep)", "ok"},
      // Errors are reported in the order of the text, the depth of the finished item last.
      {"SET a = x, y.b = :n", kMissing},
      {"SET y.b = :n, a = x", kBadPath},
      {"SET a = :toodeep, b = x", kMissing},
  };
  for (const ErrorCase& test : kCases)
    EXPECT_EQ(ApplyMessage(test.text), test.message) << test.text;
}

// One small statement cannot make the process build a value that is larger than any item.
TEST(UpdateErrors, ListsThatGrowBeyondAnyItemAreRefused) {
  std::vector<ValueView> elements(300, S(std::string(1000, 'x')));
  const TestItem item({{"l", L(elements)}});
  std::string nested = "l";
  for (int i = 0; i < 200; ++i) nested = "list_append(" + nested + ",l)";
  std::string wide = "SET ";
  for (int i = 0; i < 150; ++i) wide += (i ? ",a" : "a") + std::to_string(i) + "=list_append(l,l)";
  // Only a PartiQL statement may nest list_append.
  for (const auto& [kind, text] : {std::pair(ExpressionKind::kStatement, "SET a = " + nested),
                                   std::pair(ExpressionKind::kUpdate, wide)}) {
    Request request;
    Arena arena;
    const Result<Update> update = BindUpdateAst(
        {kind, ParseText(Grammar::kUpdate, text), text, request.placeholders(), arena});
    ASSERT_TRUE(update.ok()) << update.error().message;
    const auto attributes = update->Apply(item.view(), {}, arena);
    ASSERT_FALSE(attributes.ok());
    EXPECT_EQ(attributes.error().message,
              "Item size to update has exceeded the maximum allowed size");
  }
}

}  // namespace
}  // namespace hashrange::testing
