// Tests of modelled partitions behind the gate: who is throttled and how, what is only counted, and
// from which positions units are taken. The partitions of these tests serve few units, so that a
// few calls saturate them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/random.h"
#include "simulation/throughput_fixture.h"

namespace hashrange {
namespace {

constexpr char kTableKeyRangeText[] =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "bp-partition-key-design.html";
constexpr char kIndexKeyRangeText[] =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
    "automatically scaling your index so please try again shortly.";
constexpr char kQuotaText[] =
    "Throughput exceeds the current throughput limit for your account. To request a limit "
    "increase, contact AWS Support at https://aws.amazon.com/support.";

std::string Throttled(const char* text, const char* reason, const std::string& resource) {
  return Body("com.amazon.coral.availability#ThrottlingException", text, "throttlingReasons",
              reason, resource);
}
std::string TableWriteThrottled() {
  return Throttled(kTableKeyRangeText, "TableWriteKeyRangeThroughputExceeded", kTableArn);
}

// An item "pk", "sk" of the table "app", with members to add.
std::string Put(const std::string& pk, const std::string& sk, const std::string& more = "") {
  return R"({"TableName":"app","Item":{"pk":{"S":")" + pk + R"("},"sk":{"S":")" + sk + "\"}" +
         more + "}}";
}
std::string InIndex(const std::string& g) { return R"(,"g":{"S":")" + g + "\"}"; }

class PartitionGateTest : public ThroughputTest {
 protected:
  // Partitions that serve 10 write units and 10 read units a second and save half a second.
  static PartitionRule Rule(PartitionMode mode) {
    PartitionRule rule{.mode = mode};
    rule.parameters.read_units = 10;
    rule.parameters.write_units = 10;
    rule.parameters.new_read_units = 40;
    rule.parameters.new_write_units = 40;
    return rule;
  }
  void CreateTable(const std::string& settings = R"("BillingMode":"PAY_PER_REQUEST")") {
    const bool is_provisioned = settings.find("PROVISIONED") != std::string::npos;
    api_.Ok("CreateTable",
            TableJson(settings,
                      is_provisioned ? R"("ProvisionedThroughput":)" + Units(1000, 1000) : ""));
  }
  // A table with an index byG by g and gs, and without a local index.
  void CreateTableWithoutLocalIndex() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                   {"AttributeName":"sk","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
  }
  void Model(PartitionMode mode) { Model(Rule(mode)); }
  void Model(const PartitionRule& rule) { ASSERT_TRUE(throughput_.ModelPartitions(rule).ok()); }
  // Calls until a call is refused. Returns how many were let in, and the refusal.
  int CallUntilRefused(const char* operation, const std::string& request, std::string* refusal) {
    for (int count = 0; count < 10'000; ++count) {
      const Api::Reply reply = api_.Call(operation, request);
      if (reply.http_status == 200) continue;
      *refusal = reply.body;
      return count;
    }
    ADD_FAILURE() << operation << " is never refused";
    return 0;
  }
  std::vector<PartitionMap> Maps() {
    const TableRef table = api_.engine().catalog().Find({kDefaultAccount, "us-east-1"}, "app");
    return throughput_.PartitionMapsOf(*table);
  }
  static double WriteUnits(const PartitionMap& map) {
    double units = 0;
    for (const PartitionMeasure& each : map.partitions) units += each.write_units;
    return units;
  }
};

TEST_F(PartitionGateTest, AHotKeyIsThrottledByItsPartition) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
  EXPECT_EQ(refusal, TableWriteThrottled());
  // A key of another partition is not.
  const PartitionMap map = Maps()[0];
  EXPECT_EQ(map.partitions.size(), 4u);
  api_.Ok("PutItem", Put("b", "1"));
  // A second gives as many units as the partition serves, but no more than it can save.
  api_.clock().Advance(1000);
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
  api_.clock().Advance(100);
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 1);
}

TEST_F(PartitionGateTest, AProvisionedTableAnswersWithItsOwnException) {
  CreateTable(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(30, 30));
  Model(PartitionMode::kEnforce);
  EXPECT_EQ(Maps()[0].partitions.size(), 6u);
  std::string refusal;
  EXPECT_EQ(
      CallUntilRefused("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})",
                       &refusal),
      5);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteKeyRangeThroughputExceeded", kTableArn));
}

// A table whose partitions could serve more is limited by what it provisions.
TEST_F(PartitionGateTest, DeclaredThroughputIsInForceToo) {
  CreateTable(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(3, 3));
  Model(PartitionMode::kEnforce);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 3);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteProvisionedThroughputExceeded", kTableArn));
  // Unused throughput of 300 seconds goes to a hot partition at once, up to what that serves.
  api_.clock().Advance(300'000);
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteKeyRangeThroughputExceeded", kTableArn));
}

TEST_F(PartitionGateTest, TheExceptionCanBeChosen) {
  CreateTable();
  PartitionRule rule = Rule(PartitionMode::kEnforce);
  rule.key_range_error = ErrorCode::kProvisionedThroughputExceededException;
  Model(rule);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteKeyRangeThroughputExceeded", kTableArn));
}

TEST_F(PartitionGateTest, TheQuotaOfTheAccountLimitsATableOnDemand) {
  CreateTable();
  PartitionRule rule = Rule(PartitionMode::kEnforce);
  rule.parameters.quota_write_units = 4;
  Model(rule);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 2);
  EXPECT_EQ(refusal, Body("com.amazonaws.dynamodb.v20120810#RequestLimitExceeded", kQuotaText,
                          "ThrottlingReasons", "TableWriteAccountLimitExceeded", kTableArn));
}

TEST_F(PartitionGateTest, EventuallyConsistentReadsGetHalfAsMuchAgain) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  const std::string get = R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}})";
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("GetItem", get + R"(,"ConsistentRead":true})", &refusal), 5);
  EXPECT_EQ(refusal,
            Throttled(kTableKeyRangeText, "TableReadKeyRangeThroughputExceeded", kTableArn));
  // The two other replicas serve eventually consistent reads still: 5 units of work each.
  EXPECT_EQ(CallUntilRefused("GetItem", get + "}", &refusal), 10);
  api_.clock().Advance(1000);
  // 15 reads of half a unit are 7.5 units: 1.5 × the 5 units of the strong reads.
  EXPECT_EQ(CallUntilRefused("GetItem", get + "}", &refusal), 15);
  EXPECT_EQ(Maps()[0].partitions[0].read_units + Maps()[0].partitions[1].read_units +
                Maps()[0].partitions[2].read_units + Maps()[0].partitions[3].read_units,
            5 + 5 + 7.5);
}

TEST_F(PartitionGateTest, AHotIndexKeyHoldsBackTheWritesThatTouchIt) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kEnforce);
  // Each item has a partition key of its own, but all have one key in the index.
  int written = 0;
  std::string refusal;
  for (; written < 100 && refusal.empty(); ++written) {
    const Api::Reply reply =
        api_.Call("PutItem", Put("k" + std::to_string(written), "1", InIndex("hot")));
    if (reply.http_status != 200) refusal = reply.body;
  }
  EXPECT_EQ(written, 6);
  EXPECT_EQ(refusal,
            Throttled(kIndexKeyRangeText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  // An item that is in the hot partition cannot be deleted either.
  Refused("DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"k0"},"sk":{"S":"1"}}})",
          Throttled(kIndexKeyRangeText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  // Writes beside the index, and of the other partitions of the index, are let in.
  api_.Ok("PutItem", Put("other", "1"));
  int others = 0;
  for (int i = 0; i < 16; ++i) {
    const std::string g = "cold" + std::to_string(i);
    others +=
        api_.Call("PutItem", Put("o" + std::to_string(i), "1", InIndex(g))).http_status == 200;
  }
  EXPECT_GE(others, 6);
  EXPECT_EQ(Maps()[1].throttles[0].reason, "IndexWriteKeyRangeThroughputExceeded");
}

// It is only known afterwards that an update moves the item in the index: the next write pays.
TEST_F(PartitionGateTest, AnIndexesDebtIsPaidByTheNextWrite) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kEnforce);
  const std::string to_hot = R"(,"UpdateExpression":"SET g = :g",
      "ExpressionAttributeValues":{":g":{"S":"hot"}}})";
  int updates = 0;
  for (int i = 0; i < 8; ++i) {
    updates += api_.Call("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"u)" +
                                           std::to_string(i) + R"("},"sk":{"S":"1"}})" + to_hot)
                   .http_status == 200;
  }
  EXPECT_EQ(updates, 8);
  Refused("PutItem", Put("next", "1", InIndex("hot")),
          Throttled(kIndexKeyRangeText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  // The partition is 3 units in debt, which is 300 ms.
  api_.clock().Advance(300);
  Refused("PutItem", Put("next", "1", InIndex("hot")),
          Throttled(kIndexKeyRangeText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  api_.clock().Advance(1);
  api_.Ok("PutItem", Put("next", "1", InIndex("hot")));
}

TEST_F(PartitionGateTest, ReadsOfAnIndexHoldBackNothingElse) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kEnforce);
  const char* const query = R"({"TableName":"app","IndexName":"byG","Select":"COUNT",
    "KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"hot"}}})";
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("Query", query, &refusal), 15);
  EXPECT_EQ(refusal,
            Throttled(kTableKeyRangeText, "IndexReadKeyRangeThroughputExceeded", kIndexArn));
  api_.Ok("PutItem", Put("a", "1", InIndex("hot")));
}

TEST_F(PartitionGateTest, WatchingLetsEverythingInAndCounts) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kWatch);
  for (int i = 0; i < 8; ++i) api_.Ok("PutItem", Put("a", "1", InIndex("hot")));
  const PartitionMap table = Maps()[0];
  EXPECT_EQ(table.mode, "watch");
  ASSERT_EQ(table.throttles.size(), 1u);
  EXPECT_EQ(table.throttles[0].reason, "TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(table.throttles[0].count, 3);
  // What would have been refused has taken nothing.
  EXPECT_EQ(WriteUnits(table), 5);
  EXPECT_EQ(WriteUnits(Maps()[1]), 1);
  api_.clock().Advance(100);
  api_.Ok("PutItem", Put("a", "2", InIndex("hot")));
  EXPECT_EQ(WriteUnits(Maps()[0]), 6);
}

TEST_F(PartitionGateTest, ATransactionWithAThrottledItemIsCancelled) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  const std::string write =
      R"({"TransactItems":[{"Put":)" + Put("a", "1") + R"(},{"Put":)" + Put("b", "1") + "}]}";
  Refused("TransactWriteItems", write,
          R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
          R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
          R"(reasons [ThrottlingError, None]","CancellationReasons":[{"Code":"ThrottlingError",)"
          R"("Message":")" +
              std::string(kTableKeyRangeText) + R"("},{"Code":"None"}]})");
  // The item that was not throttled has cost nothing.
  EXPECT_EQ(WriteUnits(Maps()[0]), 5);
  api_.clock().Advance(1000);
  api_.Answers("TransactWriteItems", write, "{}");
}

TEST_F(PartitionGateTest, ABatchDrains) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string requests;
  for (int i = 0; i < 12; ++i) {
    requests += std::string(i == 0 ? "" : ",") +
                R"({"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":")" + std::to_string(10 + i) +
                "\"}}}}";
  }
  const std::string batch = R"({"RequestItems":{"app":[)" + requests + "]}}";
  const std::string answer = api_.Ok("BatchWriteItem", batch);
  std::size_t unprocessed = 0;
  for (std::size_t at = answer.find("PutRequest"); at != std::string::npos;
       at = answer.find("PutRequest", at + 1)) {
    ++unprocessed;
  }
  EXPECT_EQ(unprocessed, 12u - 5u);
  EXPECT_NE(answer.find(R"("S":"21")"), std::string::npos);
  // A batch of which no member is let in fails as a whole.
  Refused("BatchWriteItem", batch, TableWriteThrottled());
}

// Writes `per_second` items with random sort keys under one partition key for some seconds.
TEST_F(PartitionGateTest, AHotCollectionIsCutByItsSortKeyAndReadsFollow) {
  CreateTableWithoutLocalIndex();
  PartitionRule rule = Rule(PartitionMode::kEnforce);
  rule.parameters.average_ms = 2000;
  rule.parameters.split_after_ms = 10'000;
  rule.parameters.least_split_delay_ms = 1000;
  rule.parameters.greatest_split_delay_ms = 2000;
  rule.parameters.growth_after_ms = 1000;
  rule.parameters.new_write_units = 1000;
  Model(rule);
  Random random(7);
  const auto write = [&](int seconds) {
    int served = 0;
    for (int tick = 0; tick < seconds * 10; ++tick) {
      api_.clock().Advance(100);
      for (int i = 0; i < 8; ++i) {
        char sk[8];
        std::snprintf(sk, sizeof sk, "%05d", static_cast<int>(random.Next() % 100'000));
        served += api_.Call("PutItem", Put("hot", sk)).http_status == 200;
      }
    }
    return served;
  };
  const std::size_t before = Maps()[0].partitions.size();
  EXPECT_EQ(before, 100u);
  EXPECT_NEAR(write(10), 105, 10);
  write(10);
  const PartitionMap map = Maps()[0];
  ASSERT_EQ(map.partitions.size(), before + 2);
  const PartitionMeasure& low = map.partitions[before];
  const PartitionMeasure& high = map.partitions[before + 1];
  EXPECT_EQ(low.cause, "heat");
  EXPECT_EQ(low.parent, high.parent);
  EXPECT_EQ(low.last_key, high.first_key);
  EXPECT_EQ(low.last_key.substr(0, 11), "pk=hot, sk=");
  EXPECT_TRUE(high.last_key.empty());
  // Two partitions serve it now.
  EXPECT_NEAR(write(5), 100, 15);
  // A query of the whole collection reads all of its partitions, in either direction.
  const auto reads = [&] {
    std::vector<double> of_collection;
    const PartitionMap whole_table = Maps()[0];
    for (const PartitionMeasure& each : whole_table.partitions) {
      const bool is_part = !each.first_key.empty() || !each.last_key.empty();
      if (is_part && each.ended_epoch_ms == 0) of_collection.push_back(each.read_units);
    }
    return of_collection;
  };
  api_.clock().Advance(60'000);  // until nothing is hot any more
  const std::size_t parts = reads().size();
  EXPECT_GE(parts, 2u);
  double units = 0;
  for (const char* const forward : {"true", "false"}) {
    api_.clock().Advance(1000);
    api_.Ok("Query", std::string(R"({"TableName":"app","Select":"COUNT","ScanIndexForward":)") +
                         forward + R"(,"KeyConditionExpression":"pk = :a",
                         "ExpressionAttributeValues":{":a":{"S":"hot"}}})");
    const std::vector<double> now = reads();
    ASSERT_EQ(now.size(), parts);
    EXPECT_GT(now[0], units);
    units = now[0];
    EXPECT_EQ(now, std::vector<double>(parts, units));
  }
  // A page from the end reads only the last of them.
  api_.Ok("Query", R"({"TableName":"app","Select":"COUNT","Limit":3,"ScanIndexForward":false,
      "KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"hot"}}})");
  EXPECT_EQ(std::ranges::count(reads(), units), static_cast<std::ptrdiff_t>(parts) - 1);
}

TEST_F(PartitionGateTest, ALocalIndexKeepsACollectionWhole) {
  CreateTable();
  PartitionRule rule = Rule(PartitionMode::kWatch);
  rule.parameters.average_ms = 1000;
  rule.parameters.split_after_ms = 5000;
  rule.parameters.least_split_delay_ms = rule.parameters.greatest_split_delay_ms = 1000;
  Model(rule);
  for (int i = 0; i < 400; ++i) {
    api_.clock().Advance(50);
    api_.Ok("PutItem", Put("hot", std::to_string(i * 7919 % 1000)));
  }
  const PartitionMap map = Maps()[0];
  EXPECT_EQ(map.partitions.size(), 4u);
  const auto hot = std::ranges::max_element(map.partitions, {}, &PartitionMeasure::write_units);
  EXPECT_EQ(hot->uncut, "local index");
  EXPECT_NEAR(hot->write_heat, 2, 0.3);
}

// A Scan reads one partition after the other.
TEST_F(PartitionGateTest, AScanTakesFromThePartitionsThatItReads) {
  CreateTable();
  for (int i = 0; i < 64; ++i) api_.Ok("PutItem", Put("k" + std::to_string(i), "1"));
  PartitionRule rule = Rule(PartitionMode::kWatch);
  rule.parameters.read_units = rule.parameters.new_read_units = 1000;
  rule.parameters.new_write_units = 40;
  Model(rule);
  api_.Ok("Scan", R"({"TableName":"app","Select":"COUNT","ConsistentRead":true})");
  const PartitionMap after_scan = Maps()[0];
  for (const PartitionMeasure& each : after_scan.partitions) {
    EXPECT_NEAR(each.read_units, 0.25, 0.01) << each.number;
  }
  api_.Ok("Scan", R"({"TableName":"app","Select":"COUNT","Segment":3,"TotalSegments":4,
                      "ConsistentRead":true})");
  EXPECT_NEAR(Maps()[0].partitions[0].read_units, 0.25, 0.01);
  EXPECT_NEAR(Maps()[0].partitions[3].read_units, 1.25, 0.01);
}

TEST_F(PartitionGateTest, MoreThroughputMakesMorePartitions) {
  CreateTable(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(5, 15));
  Model(PartitionMode::kWatch);
  EXPECT_EQ(Maps()[0].partitions.size(), 2u);
  api_.Ok("UpdateTable", R"({"TableName":"app","ProvisionedThroughput":)" + Units(15, 25) + "}");
  const PartitionMap map = Maps()[0];
  // Two were cut into four.
  EXPECT_EQ(map.partitions.size(), 6u);
  EXPECT_EQ(map.partitions.back().cause, "throughput");
  EXPECT_EQ(map.write_limit, 25);
}

TEST_F(PartitionGateTest, RulesBeginChangeAndEnd) {
  CreateTable();
  EXPECT_TRUE(Maps().empty());
  PartitionRule rule = Rule(PartitionMode::kEnforce);
  Model(rule);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  // A later rule begins anew.
  rule.mode = PartitionMode::kWatch;
  Model(rule);
  EXPECT_EQ(WriteUnits(Maps()[0]), 0);
  EXPECT_EQ(throughput_.ListPartitionRules().size(), 1u);
  for (int i = 0; i < 20; ++i) api_.Ok("PutItem", Put("a", "1"));
  EXPECT_EQ(Maps()[0].throttles[0].count, 15);
  EXPECT_EQ(throughput_.EndPartitions({.table = "another"}), 0u);
  EXPECT_EQ(throughput_.EndPartitions(), 1u);
  EXPECT_TRUE(Maps().empty());
  EXPECT_EQ(gates_.slot().load(), nullptr);
}

// A table that is made again has partitions that know nothing of the old table.
TEST_F(PartitionGateTest, ANewTableOfTheSameNameBeginsAnew) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.clock().Advance(1);
  CreateTable();
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
}

// Declared throughput in force and partitions that are only watched go together.
TEST_F(PartitionGateTest, DeclaredLimitsCanBeInForceWhilePartitionsAreWatched) {
  CreateProvisioned(3, 8, 8, 8);
  Model(PartitionMode::kWatch);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 8);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteProvisionedThroughputExceeded", kTableArn));
  const PartitionMap map = Maps()[0];
  ASSERT_EQ(map.throttles.size(), 2u);
  EXPECT_EQ(map.throttles[0].reason, "TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(map.throttles[0].count, 3);
  EXPECT_EQ(map.throttles[1].count, 1);
  EXPECT_EQ(StateOf(0).write->throttled, 1);
}

TEST_F(PartitionGateTest, DeclaredLimitsThatComeAndGoLeaveTheModelAlone) {
  CreateTable();
  Model(PartitionMode::kWatch);
  for (int i = 0; i < 8; ++i) api_.Ok("PutItem", Put("a", "1"));
  const std::uint64_t model = Maps()[0].model;
  EXPECT_TRUE(throughput_.Enforce({}, true).ok());
  for (int i = 0; i < 2; ++i) api_.Ok("PutItem", Put("a", "1"));
  throughput_.Clear();
  api_.Ok("PutItem", Put("a", "1"));
  EXPECT_EQ(Maps()[0].model, model);
  EXPECT_EQ(WriteUnits(Maps()[0]), 5);
  EXPECT_EQ(Maps()[0].throttles[0].count, 6);
}

// What is watched and what is enforced is the same: nobody knows before an update where it moves
// the item in an index, and a replay of a transaction is never refused.
TEST_F(PartitionGateTest, WatchingCountsWhatEnforcingRefuses) {
  for (const PartitionMode mode : {PartitionMode::kEnforce, PartitionMode::kWatch}) {
    CreateTableWithoutLocalIndex();
    Model(mode);
    for (int i = 0; i < 8; ++i) {
      api_.Ok("UpdateItem", R"({"TableName":"app","UpdateExpression":"SET g = :g",
        "ExpressionAttributeValues":{":g":{"S":"hot"}},"Key":{"pk":{"S":"u)" +
                                std::to_string(i) + R"("},"sk":{"S":"1"}}})");
    }
    for (int i = 0; i < 10; ++i) {
      api_.Ok("TransactWriteItems",
              R"({"ClientRequestToken":"t","TransactItems":[{"Put":)" + Put("t", "1") + "}]}");
    }
    for (const PartitionMap& map : Maps()) EXPECT_TRUE(map.throttles.empty()) << map.mode;
    api_.clock().Advance(700'000);  // the token is forgotten
    api_.Ok("DeleteTable", R"({"TableName":"app"})");
  }
}

TEST_F(PartitionGateTest, StronglyConsistentMembersOfABatchTakeWholeUnits) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string keys;
  for (int i = 0; i < 12; ++i) {
    keys += std::string(i == 0 ? "" : ",") + R"({"pk":{"S":"a"},"sk":{"S":")" + std::to_string(i) +
            "\"}}";
  }
  const std::string answer = api_.Ok(
      "BatchGetItem", R"({"RequestItems":{"app":{"ConsistentRead":true,"Keys":[)" + keys + "]}}}");
  std::size_t unprocessed = 0;
  for (std::size_t at = answer.find("\"sk\""); at != std::string::npos;
       at = answer.find("\"sk\"", at + 1)) {
    ++unprocessed;
  }
  EXPECT_EQ(unprocessed, 12u - 5u);
}

TEST_F(PartitionGateTest, QueriesOfOneCollectionAreNotCut) {
  CreateTableWithoutLocalIndex();
  for (int i = 0; i < 20; ++i) api_.Ok("PutItem", Put("hot", std::to_string(i)));
  PartitionRule rule = Rule(PartitionMode::kWatch);
  rule.parameters.average_ms = 1000;
  rule.parameters.split_after_ms = 3000;
  rule.parameters.least_split_delay_ms = rule.parameters.greatest_split_delay_ms = 1000;
  Model(rule);
  for (int i = 0; i < 300; ++i) {
    api_.clock().Advance(25);
    api_.Ok("Query", R"({"TableName":"app","Select":"COUNT","ConsistentRead":true,
      "KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"hot"}}})");
  }
  const PartitionMap map = Maps()[0];
  EXPECT_EQ(map.partitions.size(), 4u);
  const auto hot = std::ranges::max_element(map.partitions, {}, &PartitionMeasure::read_demand);
  EXPECT_EQ(hot->uncut, "range");
  EXPECT_EQ(hot->read_demand, 300);
}

// A table that has data when its model begins has partitions for it from the beginning.
TEST_F(PartitionGateTest, TheFirstPartitionsAreThoseOfTheStoredSize) {
  CreateTable();
  for (int i = 0; i < 10; ++i) {
    api_.Ok("PutItem",
            Put(std::to_string(i), "1", R"(,"b":{"S":")" + std::string(9990, 'x') + "\"}"));
  }
  PartitionRule rule = Rule(PartitionMode::kWatch);
  rule.parameters.size_bytes = 12'600;
  Model(rule);
  const PartitionMap map = Maps()[0];
  ASSERT_EQ(map.partitions.size(), 8u);
  for (const PartitionMeasure& each : map.partitions) EXPECT_EQ(each.cause, "beginning");
  EXPECT_EQ(map.partitions[1].first_hash, "2000000000000000");
}

TEST_F(PartitionGateTest, ADeletedIndexHasNoPartitions) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kWatch);
  EXPECT_EQ(Maps().size(), 2u);
  api_.Ok("UpdateTable", R"({"TableName":"app","GlobalSecondaryIndexUpdates":[
      {"Delete":{"IndexName":"byG"}}]})");
  api_.Ok("PutItem", Put("a", "1", InIndex("g")));
  EXPECT_EQ(Maps().size(), 1u);
}

}  // namespace
}  // namespace hashrange
