#include "cli/ctl/answer_text.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

// The names are not escaped in the JSON, as a server may answer them.
TEST(AnswerText, NothingInItControlsTheTerminal) {
  const HttpReply reply{200, "application/json", "{\"name\":\"\u009B2J\u202E\"}"};
  EXPECT_EQ(AnswerText(reply, OutputForm::kAsItCame), "{\"name\":\"\u009B2J\u202E\"}");
  EXPECT_EQ(AnswerText(reply, OutputForm::kJson), "{\n  \"name\": \"\\u009B2J\\u202E\"\n}");
  EXPECT_EQ(AnswerText(reply, OutputForm::kTable), "name  \\u{9B}2J\\u{202E}\n");
  EXPECT_EQ(AnswerText({200, "application/json", "no \x1B[2J JSON"}, OutputForm::kTable),
            "no \\u{1B}[2J JSON");
}

// Reports and metrics have names from the traffic, and a dump has items.
TEST(AnswerText, WhatIsNoJsonDocumentIsEscapedLineByLine) {
  const HttpReply text{200, "text/plain; charset=utf-8", "one \x1B[2J\n\ntwo\r\u009B\n"};
  for (const OutputForm output : {OutputForm::kTable, OutputForm::kJson}) {
    EXPECT_EQ(AnswerText(text, output), "one \\u{1B}[2J\n\ntwo\\u{D}\\u{9B}\n");
  }
  EXPECT_EQ(AnswerText(text, OutputForm::kAsItCame), text.body);
  const HttpReply lines{200, "application/x-ndjson", "{\"a\":\"\u009B\"}\n{\"b\":\"\u202E\"}"};
  EXPECT_EQ(AnswerText(lines, OutputForm::kTable), "{\"a\":\"\\u009B\"}\n{\"b\":\"\\u202E\"}");
  EXPECT_EQ(AnswerText(lines, OutputForm::kAsItCame), lines.body);
}

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

// A partition that heat cut into two, of which one takes all writes of an item.
constexpr char kAnswer[] = R"({"rules":[{"mode":"watch","seed":0,"parameters":{}},
  {"table":"app","mode":"enforce","seed":7,"parameters":{"write_units":100}}],
 "tables":[{"account":"000000000000","region":"us-east-1","table":"app","mode":"enforce","seed":7,
  "resources":[{"table":"app","index":"","mode":"enforce","began_epoch_ms":1767225600000,
    "read_limit":12000.0,"write_limit":4000.0,
    "partition_read_units":3000.0,"partition_write_units":100.0,
    "throttles":[{"reason":"TableWriteKeyRangeThroughputExceeded","count":70}],
    "partitions":[
     {"number":1,"parent":0,"cause":"beginning","began_epoch_ms":1767225600000,
      "ended_epoch_ms":1767225900000,"first_hash":"0000000000000000",
      "last_hash":"ffffffffffffffff","first_key":"","last_key":"","read_units":0.0,
      "write_units":100.0,"throttled_reads":0,"throttled_writes":30,"read_heat":0.0,
      "write_heat":0.0,"uncut":""},
     {"number":2,"parent":1,"cause":"heat","began_epoch_ms":1767225900000,"ended_epoch_ms":0,
      "first_hash":"0000000000000000","last_hash":"3fffffffffffffff","first_key":"","last_key":"",
      "read_units":0.0,"write_units":100.0,"throttled_reads":0,"throttled_writes":40,
      "read_heat":0.0,"write_heat":0.95,"uncut":"item"},
     {"number":3,"parent":1,"cause":"heat","began_epoch_ms":1767225900000,"ended_epoch_ms":0,
      "first_hash":"4000000000000000","last_hash":"ffffffffffffffff","first_key":"","last_key":"",
      "read_units":0.0,"write_units":1.0,"throttled_reads":0,"throttled_writes":0,"read_heat":0.0,
      "write_heat":0.01,"uncut":""}],
    "slice_ms":1000,"slices":[{"begin_epoch_ms":1767225600000,"partitions":[
      {"number":1,"read_units":0.0,"write_units":100.0,"throttled_reads":0.0,
       "throttled_writes":30.0}]}]}]}]})";

TEST(PartitionAnswer, RulesAndPartitionsAreTables) {
  EXPECT_EQ("\n" + PartitionAnswerText(kAnswer, 100).value_or("?"), R"(
MODE     SEED  PARAMETERS           TABLE
watch       0  {}                   -
enforce     7  {"write_units":100}  app

app, account 000000000000, us-east-1: enforce, seed 7

app: 2 partitions, 1 split; a partition serves 100 write units here; throttled:
TableWriteKeyRangeThroughputExceeded 70
partition: its hashes  read units  write units  throttled  hottest (1 s)   now
2: 0 % to 25 %                  0          100         40            0 %  95 %
1: 0 % to 100 %                 0          100         30          100 %   cut
3: 25 % to 100 %                0            1          0            0 %   1 %
2026-01-01 00:05:00: 1 was cut into 2 and 3 for heat, at 25 %
2 was not cut: one item took nearly all of its load, and an item cannot be cut
)");
}

TEST(PartitionAnswer, NoRulesAreTold) {
  EXPECT_EQ(PartitionAnswerText(R"({"rules":[],"tables":[]})", 100), "rules  none\n");
}

TEST(PartitionAnswer, NoTextSteersTheTerminal) {
  std::string answer = kAnswer;
  for (std::size_t at = 0; (at = answer.find(R"("app")", at)) != answer.npos; at += 10) {
    answer.replace(at, 5, R"("a\u001bp")");
  }
  const auto text = PartitionAnswerText(answer, 100);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find('\x1B'), text->npos);
}

TEST(PartitionAnswer, AnotherAnswerIsNotShown) {
  for (const char* json :
       {"", "[]", "{}", R"({"tables":{}})", R"({"tables":[{}]})", R"({"tables":[5]})",
        R"({"tables":[{"resources":[5]}]})", R"({"tables":[{"resources":[{"slices":5}]}]})"}) {
    EXPECT_EQ(PartitionAnswerText(json, 100), std::nullopt) << json;
  }
}

TEST(PartitionAnswer, PartitionsOutOfTheirOrderAreNotShown) {
  const auto answer = [](const std::string& first, const std::string& second) {
    const auto row = [](const std::string& number) {
      return R"({"number":)" + number +
             R"(,"first_hash":"0000000000000000","last_hash":"ffffffffffffffff"})";
    };
    return R"({"tables":[{"resources":[{"partitions":[)" + row(first) + "," + row(second) +
           "]}]}]}";
  };
  EXPECT_NE(PartitionAnswerText(answer("1", "2"), 100), std::nullopt);
  EXPECT_EQ(PartitionAnswerText(answer("2", "1"), 100), std::nullopt);
}

}  // namespace
}  // namespace hashrange
