#include "mcp/request_tools.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Calls `function` with the JSON of a text.
template <typename Function>
std::string WithJson(const std::string& text, Function function) {
  return function(OwnedJson::Parse(text, JsonDialect::kDocument)->value());
}

std::string Input(const std::string& operation, const std::string& input) {
  return WithJson(input, [&](const JsonValue& json) { return InputWithUnits(operation, json); });
}

std::string Units(const std::string& operation, const std::string& answer) {
  return WithJson(answer, [&](const JsonValue& json) { return UnitsSentence(operation, json); });
}

TEST(RequestUnits, UnitsAreAskedForWhereTheyMayBe) {
  EXPECT_EQ(Input("GetItem", R"({"TableName":"a"})"),
            R"({"TableName":"a","ReturnConsumedCapacity":"INDEXES"})");
  EXPECT_EQ(Input("GetItem", R"({"ReturnConsumedCapacity":null})"),
            R"({"ReturnConsumedCapacity":"INDEXES"})");
  EXPECT_EQ(Input("GetItem", R"({"ReturnConsumedCapacity":"NONE"})"),
            R"({"ReturnConsumedCapacity":"NONE"})");
  EXPECT_EQ(Input("DescribeTable", R"({"TableName":"a"})"), R"({"TableName":"a"})");
  EXPECT_EQ(Input("NoOperation", "{}"), "{}");
  // A number stays as it was written.
  EXPECT_EQ(Input("NoOperation", R"({"n":1.50,"m":12345678901234567890123})"),
            R"({"n":1.50,"m":12345678901234567890123})");
}

TEST(RequestUnits, TheSentenceHasTablesAndIndexes) {
  EXPECT_EQ(
      Units("PutItem",
            R"({"ConsumedCapacity":{"TableName":"a","CapacityUnits":3.0,"Table":)"
            R"({"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"G":{"CapacityUnits":2.0}}}})"),
      "3 write units (a: table 1, G 2)");
  EXPECT_EQ(Units("BatchGetItem", R"({"ConsumedCapacity":[{"TableName":"a","CapacityUnits":0.5},)"
                                  R"({"TableName":"b","CapacityUnits":0.5,"Table":)"
                                  R"({"CapacityUnits":0.5}}]})"),
            "1 read unit (a; b: table 0.5)");
  EXPECT_EQ(Units("ExecuteStatement", R"({"ConsumedCapacity":{"CapacityUnits":"x"}})"),
            "0 units ()");
  EXPECT_EQ(
      Units("TransactWriteItems", R"({"ConsumedCapacity":[{"TableName":"a","CapacityUnits":2.0,)"
                                  R"("ReadCapacityUnits":2.0,"Table":{"CapacityUnits":2.0}}]})"),
      "2 read units (a: table 2)");
  EXPECT_EQ(Units("GetItem", "{}"), "");
  EXPECT_EQ(Units("GetItem", R"({"ConsumedCapacity":7})"), "0 read units ()");
}

TEST(RequestUnits, AnErrorHasItsReasons) {
  const auto text_of = [](const std::string& body) {
    return WithJson(body, [](const JsonValue& json) { return ErrorBodyText(json); });
  };
  EXPECT_EQ(
      text_of(R"({"__type":"com.amazon.coral.validate#ValidationException","message":"No."})"),
      "ValidationException: No.");
  EXPECT_EQ(text_of(R"({"__type":"a#TransactionCanceledException","Message":"No.",)"
                    R"("CancellationReasons":[{"Code":"None"}]})"),
            "TransactionCanceledException: No.\nCancellationReasons: [{\"Code\":\"None\"}]");
  EXPECT_EQ(text_of("{}"), ": ");
}

}  // namespace
}  // namespace hashrange
