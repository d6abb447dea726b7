#include "cli/answer_table.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

std::string TableFrom(std::string json, std::size_t columns = 100) {
  Arena arena;
  const std::size_t size = json.size();
  json.push_back('\0');
  const auto answer = ParseJsonData({json.data(), size}, JsonDialect::kDocument, arena);
  EXPECT_TRUE(answer.ok());
  return "\n" + AnswerTable(**answer, columns);
}

TEST(AnswerTable, AListOfObjectsIsATable) {
  constexpr char kJson[] = R"({"snapshots":[{"name":"before","account":"111122223333","tables":2},)"
                           R"({"name":"ä","tables":10,"items":1.50}]})";
  EXPECT_EQ(TableFrom(kJson), R"(
NAME    ACCOUNT       TABLES  ITEMS
before  111122223333       2      -
ä       -                 10   1.50
)");
  // A table that is too wide is written as objects, one below the other.
  EXPECT_EQ(TableFrom(kJson, 34), R"(
name     before
account  111122223333
tables   2

name    ä
tables  10
items   1.50
)");
  EXPECT_EQ(TableFrom(kJson, 35), TableFrom(kJson));
}

TEST(AnswerTable, AnObjectIsNamesAndValues) {
  EXPECT_EQ(TableFrom(R"({"mode":"real","epoch_ms":1769860800000,"scale":1,"end":null})"), R"(
mode      real
epoch_ms  1769860800000
scale     1
end       -
)");
  EXPECT_EQ(TableFrom(R"({"tables":1})"), "\ntables  1\n");
  EXPECT_EQ(TableFrom("{}"), "\ndone\n");
}

TEST(AnswerTable, ValuesOfSeveralLinesFollowTheOthers) {
  EXPECT_EQ(
      TableFrom(R"({"rules":[{"enforce":true,"table":"app"}],"enabled":true,"tables":{"app":2},)"
                R"("holds":[],"names":["a","b"],"none":{}})"),
      R"(
enabled  true
holds    none
names    a, b
none     none

rules:
ENFORCE  TABLE
true     app

tables:
  app  2
)");
  EXPECT_EQ(TableFrom(R"({"tables":{"app":2,"users":50}})"),
            "\ntables:\n  app    2\n  users  50\n");
}

TEST(AnswerTable, ObjectsInATableAreJson) {
  EXPECT_EQ(TableFrom(R"({"rules":[{"id":1,"do":{"drop":"after","a":[1,null]}}]})"),
            "\nID  DO\n 1  {\"drop\":\"after\",\"a\":[1,null]}\n");
}

TEST(AnswerTable, NothingInItControlsTheTerminal) {
  EXPECT_EQ(TableFrom(R"({"name":"\u001b[31mred\n\u007f\u009b","a\tb":{"c":"\u0007"}})"),
            "\nname  \\u{1B}[31mred\\u{A}\\u{7F}\\u{9B}\n\na\\u{9}b:\n  c  \\u{7}\n");
  EXPECT_EQ(TableFrom("{\"name\":\"\u202Egpj.\",\"list\":[[\"\u009B\"]]}"),
            "\nname  \\u{202E}gpj.\nlist  [\"\\u009B\"]\n");
}

TEST(AnswerTable, OtherValuesAreText) {
  EXPECT_EQ(TableFrom("7"), "\n7\n");
  EXPECT_EQ(TableFrom(R"(["a",2])"), "\na, 2\n");
  EXPECT_EQ(TableFrom("[]"), "\nnone\n");
  EXPECT_EQ(TableFrom(R"([{"a":1}])"), "\nA\n1\n");
}

}  // namespace
}  // namespace hashrange
