#include "measure/cost/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "measure/cost/assessment.h"
#include "measure/cost/cost.h"
#include "measure/cost/first_limit.h"
#include "measure/four_partitions.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// The sign-ups' customers: 500 items of 2,000 bytes (2 write units), all of them in GSI1.
EntityMeasure Customers() {
  EntityMeasure entity{.table = "shop", .type = "customer"};
  entity.items = 500;
  entity.indexes = {{.index = "GSI1", .items = 500, .size_bytes = 1'000'000}};
  for (const char* const key : {"PK", "SK", "GSI1PK", "GSI1SK"}) {
    entity.attributes.push_back({.name = key, .count = 500, .size_bytes = 10'000});
  }
  entity.attributes.push_back({.name = "email", .count = 500, .size_bytes = 30'000});
  entity.attributes.push_back({.name = "address", .count = 500, .size_bytes = 930'000});
  entity.units = {{"shop", "", 0, 1200}, {"shop", "GSI1", 0, 1200}};
  return entity;
}

Measurement WithCustomers() {
  Measurement measurement = SignUpMeasurement();
  measurement.tables[0].indexes[0].size_bytes = 1'000'000;
  measurement.entities = {Customers()};
  PatternMeasure& sign_up = measurement.patterns[0];
  sign_up.units = {{"shop", "", 0, 1200}, {"shop", "GSI1", 0, 1200}};
  sign_up.call.write_units = {};
  sign_up.call.write_units.Add(4, 600);
  PatternMeasure& orders = measurement.patterns[1];
  orders.units[0].read_units = 800;
  orders.call.read_units = {};
  orders.call.read_units.Add(2, 400);
  orders.members[0].projected_attributes = {"email"};
  orders.members[0].projection = "email";
  measurement.resources[0].write_units = 1200;
  measurement.resources[1].write_units = 1200;
  measurement.resources[1].read_units = 800;
  return measurement;
}

TEST(WhatIf, ADroppedIndexTakesItsWritesReadsAndEntries) {
  Measurement before = SignUpMeasurement();
  before.entities = {Customers()};
  before.key_templates = {{.table = "shop", .attribute = "PK"},
                          {.table = "shop", .index = "GSI1", .attribute = "GSI1PK"}};
  before.sequences = {{.kind = "together", .first = "aaa", .second = "bbb"}};
  before.server_time = {{.pattern = "aaa"}, {.pattern = "bbb"}};
  before.patterns[0].index_moves = {{"shop", "GSI1", 3}};
  before.time = {60'000, {{.begin_epoch_ms = before.began_epoch_ms}}};
  before.time.buckets[0].read_units = 200;
  before.time.buckets[0].write_units = 1200;
  const auto result = DropIndex(before, "shop", "GSI1");
  ASSERT_TRUE(result.ok()) << result.error().message;
  const Measurement& after = result->measurement;
  EXPECT_THAT(result->unserved, ElementsAre("Query shop.GSI1 CUST#{id}"));
  EXPECT_THAT(after.changes, ElementsAre("What if GSI1 did not exist: its reads, writes and "
                                         "entries are left out."));
  ASSERT_EQ(after.patterns.size(), 1u);
  ASSERT_EQ(after.patterns[0].units.size(), 1u);
  EXPECT_EQ(after.patterns[0].units[0].write_units, 600);
  EXPECT_EQ(after.patterns[0].call.write_units.sum(), 600);
  EXPECT_EQ(after.patterns[0].call.write_units.max(), 1);
  EXPECT_THAT(after.patterns[0].index_moves, IsEmpty());
  EXPECT_EQ(after.resources.size(), 1u);
  EXPECT_THAT(after.tables[0].indexes, IsEmpty());
  EXPECT_THAT(after.entities[0].indexes, IsEmpty());
  EXPECT_EQ(after.entities[0].units.size(), 1u);
  EXPECT_EQ(after.key_templates.size(), 1u);
  EXPECT_THAT(after.sequences, IsEmpty());
  EXPECT_EQ(after.server_time.size(), 1u);
  EXPECT_EQ(after.time.buckets[0].write_units, 600);
  EXPECT_EQ(after.time.buckets[0].read_units, 0);
  // A sign-up cost 1.25 a million, and costs half of it.
  const Costs costs = ComputeCosts(after, {});
  EXPECT_DOUBLE_EQ(costs.patterns[0].usd_per_million, 0.625);
  EXPECT_EQ(costs.patterns[0].method, kMethodModelled);
  EXPECT_EQ(costs.assumptions[0], after.changes[0]);
  EXPECT_EQ(costs.storage.lines.size(), 1u);
}

// Half of the sign-ups wrote one unit of the index: {1: 300, 2: 300} becomes 600 in sum.
TEST(WhatIf, SumsOfUnitsAreExactWhenCallsDiffer) {
  Measurement before = SignUpMeasurement();
  before.patterns[0].units[1].write_units = 300;
  before.patterns[0].call.write_units = {};
  before.patterns[0].call.write_units.Add(1, 300);
  before.patterns[0].call.write_units.Add(2, 300);
  const auto result = DropIndex(before, "shop", "GSI1");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->measurement.patterns[0].call.write_units.sum(), 600);
  EXPECT_EQ(result->measurement.patterns[0].call.write_units.Percentile(0.5), 1);
}

// A read of a local index had fetched 50 units of items from the table.
TEST(WhatIf, FetchesFromTheTableGoWithTheirIndex) {
  Measurement before = SignUpMeasurement();
  before.tables[0].indexes[0].is_local = true;
  before.patterns[1].units.push_back({"shop", "", 50, 0});
  before.resources[0].read_units = 60;
  before.resources[0].read_keys = {60, 0, {{"PK=CUST#1", "", 30, 0}}};
  const auto result = DropIndex(before, "shop", "GSI1");
  ASSERT_TRUE(result.ok());
  EXPECT_DOUBLE_EQ(result->measurement.resources[0].read_units, 10);
  EXPECT_DOUBLE_EQ(result->measurement.resources[0].read_keys.keys[0].units, 5);
}

TEST(WhatIf, AnUnknownIndexIsAnError) {
  const auto result = DropIndex(SignUpMeasurement(), "shop", "GSI9");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "There is no index \"shop/GSI9\"; the measurement has shop/GSI1.");
  EXPECT_FALSE(DropIndex(SignUpMeasurement(), "shop", "").ok());
}

// Keys have 80 bytes, e-mail 60: entries of 2,000 bytes become 140, 2 units of a write become 1,
// and a Query of 2 units (16 KB) reads 7 % of the bytes, which is half a unit.
TEST(WhatIf, ASmallerProjectionMakesSmallerEntries) {
  const auto result = ShrinkProjection(WithCustomers(), "shop", "GSI1", {{"email"}});
  ASSERT_TRUE(result.ok()) << result.error().message;
  const Measurement& after = result->measurement;
  const IndexMeasure& index = after.tables[0].indexes[0];
  EXPECT_EQ(index.projection, "INCLUDE");
  EXPECT_THAT(index.non_key_attributes, ElementsAre("email"));
  EXPECT_EQ(index.size_bytes, 70'000);
  EXPECT_DOUBLE_EQ(after.entities[0].indexes[0].size_bytes, 70'000);
  EXPECT_EQ(after.patterns[0].units[1].write_units, 600);
  EXPECT_EQ(after.patterns[0].units[0].write_units, 1200);
  EXPECT_EQ(after.patterns[0].call.write_units.sum(), 1800);
  EXPECT_EQ(after.patterns[0].call.write_units.max(), 3);
  EXPECT_EQ(after.patterns[1].units[0].read_units, 200);
  EXPECT_EQ(after.patterns[1].call.read_units.max(), 0.5);
  EXPECT_EQ(after.resources[1].write_units, 600);
  EXPECT_EQ(after.resources[1].read_units, 200);
  EXPECT_THAT(result->unserved, IsEmpty());
  EXPECT_THAT(after.changes, ElementsAre("What if GSI1 held only the keys and email: sizes are "
                                         "the means of the entities."));
}

TEST(WhatIf, PatternsThatNeedDroppedAttributesAreNamed) {
  const auto keys_only = ShrinkProjection(WithCustomers(), "shop", "GSI1", {});
  ASSERT_TRUE(keys_only.ok());
  EXPECT_EQ(keys_only->measurement.tables[0].indexes[0].projection, "KEYS_ONLY");
  EXPECT_THAT(keys_only->unserved, ElementsAre("Query shop.GSI1 CUST#{id}"));
  Measurement reads_all = WithCustomers();
  reads_all.patterns[1].members[0].projection = "";
  EXPECT_EQ(ShrinkProjection(reads_all, "shop", "GSI1", {{"email"}})->unserved.size(), 1u);
  Measurement counts = reads_all;
  counts.patterns[1].members[0].counts_only = true;
  counts.patterns[1].members[0].projected_attributes = {};
  EXPECT_THAT(ShrinkProjection(counts, "shop", "GSI1", {})->unserved, IsEmpty());
  counts.patterns[1].members[0].condition_attributes = {"address"};
  EXPECT_EQ(ShrinkProjection(counts, "shop", "GSI1", {})->unserved.size(), 1u);
}

TEST(WhatIf, AnUpdateOfOtherAttributesNoLongerWritesToTheIndex) {
  Measurement before = WithCustomers();
  before.patterns[0].inserted = 0;
  before.patterns[0].members[0].kind = "update";
  before.patterns[0].members[0].updated_attributes = {"address"};
  const auto result = ShrinkProjection(before, "shop", "GSI1", {{"email"}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->measurement.patterns[0].units[1].write_units, 0);
  EXPECT_EQ(result->measurement.patterns[0].call.write_units.sum(), 1200);
  EXPECT_EQ(result->measurement.resources[1].write_units, 0);
  before.patterns[0].members[0].updated_attributes = {"address", "email"};
  EXPECT_EQ(ShrinkProjection(before, "shop", "GSI1", {{"email"}})
                ->measurement.patterns[0]
                .units[1]
                .write_units,
            600);
}

TEST(WhatIf, WhatTheIndexDoesNotHoldCannotBeKept) {
  Measurement before = WithCustomers();
  before.tables[0].indexes[0].projection = "INCLUDE";
  before.tables[0].indexes[0].non_key_attributes = {"address"};
  const auto result = ShrinkProjection(before, "shop", "GSI1", {{"email"}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "The index \"GSI1\" does not hold \"email\" now; it holds its keys, address.");
}

TEST(WhatIf, WithoutEntitiesSizesAreNotKnown) {
  const auto result = ShrinkProjection(SignUpMeasurement(), "shop", "GSI1", {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "No entity in the index \"GSI1\" has known attributes, so the sizes of smaller "
            "entries are not known.");
}

// The busiest minute has 4,200 units of the table: 70 a second need 100.
TEST(WhatIf, ProvisionedThroughputIsThatOfTheBusiestMinute) {
  Measurement before = SignUpMeasurement();
  const std::int64_t began = before.began_epoch_ms;
  before.time = {60'000, {{.begin_epoch_ms = began}}};
  before.resources[0].heat_over_time = {{began, {0}, {4200}}, {began + 60'000, {0}, {60}}};
  const auto result = ChangeBilling(before, "shop", BillingMode::kProvisioned);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const TableMeasure& table = result->measurement.tables[0];
  EXPECT_FALSE(table.on_demand);
  EXPECT_EQ(table.provisioned_write_units, 100);
  EXPECT_EQ(table.provisioned_read_units, 1);
  EXPECT_EQ(table.indexes[0].provisioned_write_units, 1);
  EXPECT_THAT(result->measurement.changes,
              ElementsAre("What if shop was provisioned, with the throughput of its busiest minute "
                          "at 70 % use."));
  const auto back = ChangeBilling(result->measurement, "shop", BillingMode::kOnDemand);
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(back->measurement.tables[0].on_demand);
  EXPECT_EQ(back->measurement.tables[0].provisioned_write_units, 0);
}

TEST(WhatIf, BillingThatIsSoAlreadyIsAnError) {
  const auto same = ChangeBilling(SignUpMeasurement(), "shop", BillingMode::kOnDemand);
  ASSERT_FALSE(same.ok());
  EXPECT_EQ(same.error().message, "The table \"shop\" is on demand already.");
  const auto unknown = ChangeBilling(SignUpMeasurement(), "none", BillingMode::kOnDemand);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "There is no table \"none\"; the measurement has shop.");
}

// The maps of the shop, of its index and of another table.
Measurement WithMaps() {
  Measurement measurement = WithCustomers();
  measurement.tables.push_back({.name = "other"});
  for (const auto& [table, index] :
       {std::pair("shop", ""), std::pair("shop", "GSI1"), std::pair("other", "")}) {
    PartitionMap& map =
        measurement.partitions.emplace_back(FourPartitions(measurement.began_epoch_ms));
    map.table = table;
    map.index = index;
  }
  return measurement;
}

std::vector<std::string> MapsOf(const Result<WhatIf>& result) {
  std::vector<std::string> maps;
  for (const PartitionMap& map : result->measurement.partitions) {
    maps.push_back(map.table + "/" + map.index);
  }
  return maps;
}

TEST(WhatIf, PartitionsThatWouldBeCutOtherwiseAreLeftOut) {
  Measurement before = WithMaps();
  EXPECT_THAT(MapsOf(DropIndex(before, "shop", "GSI1")), ElementsAre("shop/", "other/"));
  EXPECT_THAT(MapsOf(ShrinkProjection(before, "shop", "GSI1", {})), ElementsAre("shop/", "other/"));
  EXPECT_THAT(MapsOf(ChangeBilling(before, "shop", BillingMode::kProvisioned)),
              ElementsAre("other/"));
  before.tables[0].indexes[0].is_local = true;
  EXPECT_THAT(MapsOf(DropIndex(before, "shop", "GSI1")), ElementsAre("other/"));
}

std::vector<std::string> LimitsOfPartitions(const Assessment& assessment) {
  std::vector<std::string> tables;
  for (const LimitRow& row : assessment.limits) {
    if (row.what == "partition") tables.push_back(row.table + "/" + row.index);
  }
  return tables;
}

bool HasPartitionFinding(const Assessment& assessment) {
  return std::ranges::count(assessment.findings.findings, "hot-partition", &Finding::slug) > 0;
}

TEST(WhatIf, WhatComesOfALostMapIsComparedOnNeitherSide) {
  Assessment before = Assess(WithMaps(), {});
  ASSERT_EQ(before.limits[0].what, "partition");
  ASSERT_TRUE(HasPartitionFinding(before));
  const Assessment same = before;
  Assessment other = before;
  LeaveOutLostPartitions(before, other);
  EXPECT_EQ(before.limits.size(), same.limits.size());
  EXPECT_TRUE(HasPartitionFinding(before));

  Assessment without = Assess(DropIndex(WithMaps(), "shop", "GSI1")->measurement, {});
  ASSERT_THAT(LimitsOfPartitions(without), Not(IsEmpty()));
  LeaveOutLostPartitions(before, without);
  for (const Assessment* const each : {&before, &without}) {
    EXPECT_THAT(LimitsOfPartitions(*each), IsEmpty());
    EXPECT_FALSE(HasPartitionFinding(*each));
    EXPECT_TRUE(FirstLimitAssumption(each->measurement, each->limits).starts_with("Tables are "));
    const auto rule =
        std::ranges::find(each->findings.rules, "hot-partition", &RuleAssessment::slug);
    ASSERT_NE(rule, each->findings.rules.end());
    EXPECT_EQ(rule->state, RuleState::kNotAssessed);
  }
}

}  // namespace
}  // namespace hashrange
