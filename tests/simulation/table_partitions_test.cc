// Tests of the partitions that tables and indexes get behind the gate: how many, where they are cut
// and why not, from which of them units are taken, and when a model begins anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/random.h"
#include "simulation/partition_gate_fixture.h"

namespace hashrange {
namespace {

using TablePartitionsTest = PartitionGateTest;

// Writes `per_second` items with random sort keys under one partition key for some seconds.
TEST_F(TablePartitionsTest, AHotCollectionIsCutByItsSortKeyAndReadsFollow) {
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

TEST_F(TablePartitionsTest, ALocalIndexKeepsACollectionWhole) {
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
TEST_F(TablePartitionsTest, AScanTakesFromThePartitionsThatItReads) {
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

TEST_F(TablePartitionsTest, MoreThroughputMakesMorePartitions) {
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

TEST_F(TablePartitionsTest, RulesBeginChangeAndEnd) {
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
  throughput_.EndPartitions({.table = "another"});
  EXPECT_EQ(throughput_.ListPartitionRules().size(), 1u);
  throughput_.EndPartitions();
  EXPECT_TRUE(throughput_.ListPartitionRules().empty());
  EXPECT_TRUE(Maps().empty());
  EXPECT_EQ(gates_.slot().load(), nullptr);
}

// A table that is made again has partitions that know nothing of the old table.
TEST_F(TablePartitionsTest, ANewTableOfTheSameNameBeginsAnew) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.clock().Advance(1);
  CreateTable();
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
}

TEST_F(TablePartitionsTest, DeclaredLimitsThatComeAndGoLeaveTheModelAlone) {
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

TEST_F(TablePartitionsTest, QueriesOfOneCollectionAreNotCut) {
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
TEST_F(TablePartitionsTest, TheFirstPartitionsAreThoseOfTheStoredSize) {
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

TEST_F(TablePartitionsTest, ADeletedIndexHasNoPartitions) {
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
