#include "cli/partition_answer.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

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
