#include "remote/copy/segment_scan.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

std::string Refusal(std::string answer) {
  Arena arena;
  const auto items = ReadScanAnswer(answer, arena);
  return items.ok() ? "it is read" : items.error().message;
}

TEST(ScannedItems, AnAnswerIsRead) {
  std::string answer =
      R"({"Items":[{"k":{"S":"ab"},"n":{"N":"1"}},{"k":{"S":"c"}}],"Count":2,"ScannedCount":2,)"
      R"("LastEvaluatedKey":{"k":{"S":"c\u0001"}},"ConsumedCapacity":{"CapacityUnits":2.5}})";
  Arena arena;
  const auto items = ReadScanAnswer(answer, arena);
  ASSERT_TRUE(items.ok());
  ASSERT_EQ(items->items.size(), 2U);
  EXPECT_EQ(items->items[0].size_bytes, 6U);
  EXPECT_EQ(items->items[0].attributes.size(), 2U);
  EXPECT_EQ(items->next_key, R"({"k":{"S":"c\u0001"}})");
  EXPECT_EQ(items->read_units, 2.5);
}

TEST(ScannedItems, UnitsAreComputedWhereNoneAreReported) {
  std::string answer = R"({"Items":[{"k":{"S":")" + std::string(5'000, 'x') + R"("}}]})";
  Arena arena;
  const auto items = ReadScanAnswer(answer, arena);
  ASSERT_TRUE(items.ok());
  EXPECT_EQ(items->read_units, 2);
  EXPECT_EQ(items->next_key, "");
}

TEST(ScannedItems, UnitsAreBounded) {
  for (const char* units : {"1e300", "9223372036854775807", "1000001"}) {
    std::string answer = R"({"Items":[],"ConsumedCapacity":[{"CapacityUnits":)" +
                         std::string(units) + R"(},{"CapacityUnits":1}]})";
    Arena arena;
    const auto items = ReadScanAnswer(answer, arena);
    ASSERT_TRUE(items.ok());
    EXPECT_EQ(items->read_units, 1'000'000);
  }
}

TEST(ScannedItems, OtherAnswersAreRefused) {
  EXPECT_EQ(Refusal("[]"), "the answer is none of a Scan: it has no Items");
  EXPECT_EQ(Refusal(R"({"Items":{}})"), "the answer is none of a Scan: it has no Items");
  EXPECT_EQ(Refusal(R"({"Items":[],"LastEvaluatedKey":"x"})"),
            "the answer is none of a Scan: its LastEvaluatedKey is no object");
  EXPECT_TRUE(Refusal("<html>").starts_with("the answer is none of a Scan: "));
  for (const char* item : {"7", R"("x")", R"({"k":7})", R"({"k":{"S":7}})", R"({"k":{"X":"a"}})",
                           R"({"k":{"N":"x"}})", R"({"k":{"S":"a","N":"1"}})"}) {
    EXPECT_TRUE(Refusal(R"({"Items":[)" + std::string(item) + "]}")
                    .starts_with("an item breaks a rule of DynamoDB: "))
        << item;
  }
  EXPECT_EQ(Refusal(R"({"Items":[{"k":{"S":")" + std::string(410'000, 'x') + R"("}}]})"),
            "an item breaks a rule of DynamoDB: it has 410001 bytes, and 409600 are allowed");
}

}  // namespace
}  // namespace hashrange
