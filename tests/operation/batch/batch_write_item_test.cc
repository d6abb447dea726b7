// BatchWriteItem while its table is deleted, and perhaps created with another key, between two of
// its members: each member is checked against the table that exists when it is written.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "support/api.h"

namespace hashrange {
namespace {

// Calls `act` once, when the first access leaves. Counts the accesses that have not left yet;
// refuses the access whose number is `refused`.
class ActingGate : public Gate {
 public:
  std::optional<Error> Enter(Call&, const Access&) override {
    const int number = entered_++;
    if (number == refused) return Error{ErrorCode::kThrottlingException, "too fast", nullptr};
    ++inside;
    return std::nullopt;
  }
  void Leave(Call&, const Access& access, const Usage& usage) override {
    --inside;
    units += usage.units;
    EXPECT_NE(access.table, nullptr);
    if (act) std::exchange(act, nullptr)();
  }

  std::function<void()> act;
  int refused = -1;
  int inside = 0;
  double units = 0;

 private:
  int entered_ = 0;
};

constexpr char kKeyedByK[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},
                          {"AttributeName":"l","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"byN","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"k","KeyType":"HASH"},
                 {"AttributeName":"l","KeyType":"RANGE"}]}]})";
constexpr char kKeyedByJ[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"j","AttributeType":"S"},
                          {"AttributeName":"g","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"j","KeyType":"HASH"}],
  "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})";

// kOne, kTwo and kSix fit both tables. The others fit only the table that is keyed by k and l.
constexpr char kOne[] = R"({"PutRequest":{"Item":{"k":{"S":"1"},"l":{"S":"1"},"j":{"S":"1"}}}})";
constexpr char kTwo[] =
    R"({"PutRequest":{"Item":{"k":{"S":"2"},"l":{"S":"2"},"j":{"S":"2"},"g":{"N":"2"}}}})";
constexpr char kThree[] = R"({"PutRequest":{"Item":{"k":{"S":"3"},"l":{"S":"3"}}}})";
constexpr char kFour[] = R"({"DeleteRequest":{"Key":{"k":{"S":"4"},"l":{"S":"4"}}}})";
constexpr char kIndexed[] =
    R"({"PutRequest":{"Item":{"k":{"S":"5"},"l":{"S":"5"},"j":{"S":"5"},"g":{"S":"x"}}}})";
constexpr char kSix[] = R"({"PutRequest":{"Item":{"k":{"S":"6"},"l":{"S":"6"},"j":{"S":"6"}}}})";
constexpr char kMismatch[] = "The provided key element does not match the schema";

class BatchWriteTest : public testing::Test {
 protected:
  BatchWriteTest() { api_.Ok("CreateTable", kKeyedByK); }

  // Deletes the table when the first member has been written, and creates one that is keyed by j.
  void ReplaceTheTable(bool only_delete = false) {
    gate_.act = [this, only_delete] {
      std::thread([this, only_delete] {
        api_.Ok("DeleteTable", R"({"TableName":"app"})");
        if (!only_delete) api_.Ok("CreateTable", kKeyedByJ);
      }).join();
    };
  }
  static std::string Batch(std::initializer_list<const char*> members) {
    std::string json = R"({"RequestItems":{"app":[)";
    for (const char* member : members) json.append(member == *members.begin() ? "" : ",") += member;
    return json + R"(]},"ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE"})";
  }
  void ExpectOnlyItemTwo() {
    api_.Answers("Scan", R"({"TableName":"app"})",
                 R"({"Items":[{"k":{"S":"2"},"l":{"S":"2"},"j":{"S":"2"},"g":{"N":"2"}}],)"
                 R"("Count":1,"ScannedCount":1})");
  }

  ActingGate gate_;
  GateSlot slot_{&gate_};
  Api api_{{.gate = &slot_}};
};

TEST_F(BatchWriteTest, AMemberIsWrittenToTheNewTable) {
  ReplaceTheTable();
  api_.Answers("BatchWriteItem", Batch({kOne, kTwo}), R"({"UnprocessedItems":{},
      "ItemCollectionMetrics":{"app":[
        {"ItemCollectionKey":{"k":{"S":"1"}},"SizeEstimateRangeGB":[0,1]}]},
      "ConsumedCapacity":[{"TableName":"app","CapacityUnits":4}]})");
  EXPECT_EQ(gate_.inside, 0);
  EXPECT_EQ(gate_.units, 4);  // for each an index: the local one, then the global one
  ExpectOnlyItemTwo();
}

TEST_F(BatchWriteTest, AMemberThatDoesNotFitTheNewTableEndsTheBatch) {
  // The members of the last two rows have no position in the new table. So the first row must have
  // been refused before they are sent.
  const std::pair<const char*, const char*> kRows[] = {
      {kIndexed,
       "One or more parameter values were invalid: Type mismatch for Index Key g Expected: N "
       "Actual: S IndexName: byG"},
      {kThree, kMismatch},
      {kFour, kMismatch},
  };
  for (const auto& [member, text] : kRows) {
    ReplaceTheTable();
    api_.Fails("BatchWriteItem", Batch({kOne, kTwo, member, kSix}), "ValidationException", text);
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(gate_.inside, 0);
    ExpectOnlyItemTwo();
    api_.Ok("DeleteTable", R"({"TableName":"app"})");
    api_.Ok("CreateTable", kKeyedByK);
  }
}

TEST_F(BatchWriteTest, ADeletedTableEndsTheBatch) {
  ReplaceTheTable(true);
  api_.Fails("BatchWriteItem", Batch({kOne, kTwo, kThree}), "ResourceNotFoundException",
             "Requested resource not found");
  EXPECT_EQ(gate_.inside, 0);
}

TEST_F(BatchWriteTest, AnUnprocessedMemberHasNoMetrics) {
  gate_.refused = 1;
  api_.Answers("BatchWriteItem", Batch({kOne, kTwo}),
               R"({"UnprocessedItems":{"app":[)" + std::string(kTwo) + R"(]},
      "ItemCollectionMetrics":{"app":[
        {"ItemCollectionKey":{"k":{"S":"1"}},"SizeEstimateRangeGB":[0,1]}]},
      "ConsumedCapacity":[{"TableName":"app","CapacityUnits":2}]})");
}

TEST_F(BatchWriteTest, TheGateMayRefuseARepeatedWrite) {
  ReplaceTheTable();
  gate_.refused = 2;
  api_.Answers("BatchWriteItem", Batch({kOne, kTwo}),
               R"({"UnprocessedItems":{"app":[)" + std::string(kTwo) + R"(]},
      "ItemCollectionMetrics":{"app":[
        {"ItemCollectionKey":{"k":{"S":"1"}},"SizeEstimateRangeGB":[0,1]}]},
      "ConsumedCapacity":[{"TableName":"app","CapacityUnits":2}]})");
  EXPECT_EQ(gate_.inside, 0);
}

}  // namespace
}  // namespace hashrange
