#include "measure/cost/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr double kGigabyte = 1024.0 * 1024 * 1024;

// A sign-up takes 2 write units of 0.625 a million, a query half a read unit of 0.125. Of ten calls
// six are sign-ups: (6 × 1.25 + 4 × 0.0625) / 10.
TEST(Cost, AMillionCallsHaveAPriceByTableAndIndex) {
  const Costs costs = ComputeCosts(SignUpMeasurement(), {});
  ASSERT_EQ(costs.patterns.size(), 2u);
  const PatternPrice& sign_up = costs.patterns[0];
  EXPECT_EQ(sign_up.name, "sign up");
  EXPECT_EQ(sign_up.method, kMethodMeasured);
  EXPECT_DOUBLE_EQ(sign_up.usd_per_million, 1.25);
  ASSERT_EQ(sign_up.resources.size(), 2u);
  EXPECT_EQ(sign_up.resources[1].index, "GSI1");
  EXPECT_EQ(sign_up.resources[1].write_units_a_call, 1);
  EXPECT_DOUBLE_EQ(sign_up.resources[1].write_usd_per_million, 0.625);
  EXPECT_EQ(sign_up.resources[1].read_usd_per_million, 0);
  EXPECT_DOUBLE_EQ(costs.patterns[1].usd_per_million, 0.0625);
  EXPECT_DOUBLE_EQ(costs.usd_per_million, 0.775);
}

// 60 failed write units for 600 calls: a tenth of a unit a call.
TEST(Cost, FailedCallsAreCharged) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[0].failed_write_units = 60;
  const PatternPrice price = ComputeCosts(measurement, {}).patterns[0];
  EXPECT_DOUBLE_EQ(price.failed_usd_per_million, 0.0625);
  EXPECT_DOUBLE_EQ(price.usd_per_million, 1.3125);
}

TEST(Cost, InfrequentAccessHasItsOwnPrices) {
  Measurement measurement = SignUpMeasurement();
  measurement.tables[0].table_class = "STANDARD_INFREQUENT_ACCESS";
  const Costs costs = ComputeCosts(measurement, {});
  EXPECT_DOUBLE_EQ(costs.patterns[0].usd_per_million, 1.56);
  EXPECT_DOUBLE_EQ(costs.patterns[1].usd_per_million, 0.0775);
}

// 730 times an hour's 1,200 write and 200 read units.
TEST(Cost, AnHourIsExtrapolatedToAMonth) {
  const MonthCost month = ComputeCosts(SignUpMeasurement(), {}).month;
  EXPECT_EQ(month.basis, MonthBasis::kExtrapolated);
  EXPECT_EQ(month.sentence, "extrapolated from 60 minutes");
  EXPECT_DOUBLE_EQ(month.on_demand.usd, 876'000 * 0.625e-6 + 146'000 * 0.125e-6);
  ASSERT_EQ(month.on_demand.lines.size(), 3u);
  EXPECT_EQ(month.on_demand.lines[0].what, "writes");
  EXPECT_EQ(month.on_demand.lines[0].index, "");
  EXPECT_EQ(month.on_demand.lines[0].method, kMethodExtrapolated);
  EXPECT_DOUBLE_EQ(month.on_demand.lines[0].quantity, 438'000);
  EXPECT_DOUBLE_EQ(UsdOfTable(month.on_demand, "shop"), month.on_demand.usd);
  EXPECT_EQ(UsdOfTable(month.on_demand, "other"), 0);
  // One unit of each kind for the table and for GSI1 is free.
  EXPECT_EQ(month.provisioned.usd, 0);
  EXPECT_EQ(month.provisioned.lines.size(), 4u);
  EXPECT_EQ(month.as_declared.usd, month.on_demand.usd);
}

// 600 calls wrote 6 GB and searched 600 GB: a million calls cost 10,000 times 0.52 and 1,000,000
// times 0.002. The hour of the measurement is repeated 730 times. 30 GB of vectors and less than
// 0.002 GB of items are stored, of which 25 GB are free.
TEST(Cost, VectorsAreChargedByTheGigabyte) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[0].vector_bytes_written = 6 * kGigabyte;
  measurement.patterns[0].vector_bytes_searched = 600 * kGigabyte;
  measurement.tables[0].vector_index_bytes = static_cast<std::int64_t>(30 * kGigabyte);
  const Costs costs = ComputeCosts(measurement, {});
  EXPECT_DOUBLE_EQ(costs.patterns[0].vector_usd_per_million, 10'000 * 0.52 + 1e6 * 0.002);
  EXPECT_DOUBLE_EQ(costs.patterns[0].usd_per_million, 1.25 + 7200);
  for (const CostPlan* const plan :
       {&costs.month.on_demand, &costs.month.provisioned, &costs.month.as_declared}) {
    const auto usd_of = [&](std::string_view what) {
      const auto line = std::ranges::find(plan->lines, what, &CostLine::what);
      return line == plan->lines.end() ? -1 : line->usd;
    };
    EXPECT_DOUBLE_EQ(usd_of("vector searches"), 600 * 730 * 0.002) << plan->name;
    EXPECT_DOUBLE_EQ(usd_of("vector writes"), 6 * 730 * 0.52) << plan->name;
  }
  const auto stored = std::ranges::find(costs.storage.lines, "vector storage", &CostLine::what);
  ASSERT_NE(stored, costs.storage.lines.end());
  EXPECT_EQ(stored->quantity, 30);
  EXPECT_NEAR(costs.storage.usd, 5 * 0.25, 0.001);
}

// Such a table is on demand in each plan.
TEST(Cost, ATableWithVectorsCannotBeProvisioned) {
  Measurement measurement = SignUpMeasurement();
  EXPECT_NE(ComputeCosts(measurement, {}).month.provisioned.usd,
            ComputeCosts(measurement, {}).month.on_demand.usd);
  measurement.patterns[0].vector_bytes_written = 1;
  const Costs costs = ComputeCosts(measurement, {});
  EXPECT_EQ(costs.month.provisioned.usd, costs.month.on_demand.usd);
}

TEST(Cost, VectorsOfInfrequentAccessCostAQuarterMore) {
  Measurement measurement = SignUpMeasurement();
  measurement.tables[0].table_class = "STANDARD_INFREQUENT_ACCESS";
  measurement.patterns[0].vector_bytes_written = 6 * kGigabyte;
  measurement.patterns[0].vector_bytes_searched = 600 * kGigabyte;
  EXPECT_DOUBLE_EQ(ComputeCosts(measurement, {}).patterns[0].vector_usd_per_million, 9000);
}

TEST(Cost, LessThanAnHourIsNotExtrapolated) {
  Measurement measurement = SignUpMeasurement();
  measurement.ended_epoch_ms = measurement.began_epoch_ms + 4 * 60'000;
  const Costs costs = ComputeCosts(measurement, {});
  EXPECT_EQ(costs.month.basis, MonthBasis::kNone);
  EXPECT_EQ(costs.month.sentence,
            "not computed: the measurement covers 4 minutes; declare rates, or measure an hour of "
            "the server's clock");
  EXPECT_TRUE(costs.month.on_demand.lines.empty());
  EXPECT_DOUBLE_EQ(costs.patterns[0].usd_per_million, 1.25);
}

// 700 sign-ups a second are 1,400 write units a second. Provisioned: 1,000 units for the table and
// as many for GSI1, of whose 1,460,000 hours 18,600 are free; 2 × 730 hours of reads are free.
TEST(Cost, DeclaredRatesMakeAMonth) {
  const Costs costs = ComputeCosts(SignUpMeasurement(), {.rates = {{"sign up", 700}}});
  EXPECT_EQ(costs.month.basis, MonthBasis::kDeclared);
  EXPECT_EQ(costs.month.sentence, "from the declared rates");
  EXPECT_DOUBLE_EQ(costs.month.on_demand.usd, 1400.0 * 3600 * 730 * 0.625e-6);
  EXPECT_DOUBLE_EQ(costs.month.provisioned.usd, (1'460'000 - 18'600) * 0.00065);
  EXPECT_EQ(costs.month.on_demand.lines[0].method, kMethodModelled);
  EXPECT_THAT(costs.assumptions,
              Contains("Patterns without a declared rate are left out of the month: Query "
                       "shop.GSI1 CUST#{id}."));
}

TEST(Cost, AProvisionedTableCostsWhatItDeclares) {
  Measurement measurement = SignUpMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.on_demand = false;
  table.provisioned_write_units = 100;
  table.indexes[0].provisioned_write_units = 50;
  const MonthCost month = ComputeCosts(measurement, {}).month;
  ASSERT_EQ(month.as_declared.lines.size(), 2u);
  // 109,500 hours, of which 18,600 are free; the table has two thirds of them.
  EXPECT_DOUBLE_EQ(month.as_declared.usd, 90'900 * 0.00065);
  EXPECT_DOUBLE_EQ(month.as_declared.lines[0].usd, 60'600 * 0.00065);
}

// 2 of 12 sign-ups a second are above 10 units; GSI1 has enough.
TEST(Cost, APlanSaysWhatIsAboveItsCapacity) {
  Measurement measurement = SignUpMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.on_demand = false;
  table.provisioned_write_units = 10;
  table.indexes[0].provisioned_write_units = 12;
  const CostInput input{.rates = {{"sign up", 12}}};
  EXPECT_DOUBLE_EQ(ComputeCosts(measurement, input).month.as_declared.units_above_capacity,
                   2.0 * 3600 * 730);
  table.provisioned_write_units = 12;
  EXPECT_EQ(ComputeCosts(measurement, input).month.as_declared.units_above_capacity, 0);
}

// The shop of the guide: 12 write units a second, of which 6 are of GSI1, and 60 read units of
// GSI1. 70 % use needs 9 + 9 write units and 86 + 1 read units; 18,600 hours of each are free.
TEST(Cost, AutoscalingOfTheShopInTheGuide) {
  const MonthCost month =
      ComputeCosts(SignUpMeasurement(), {.rates = {{"sign up", 6}, {"bbb", 120}}}).month;
  EXPECT_DOUBLE_EQ(month.on_demand.usd, 730.0 * 3600 * (12 * 0.625e-6 + 60 * 0.125e-6));
  EXPECT_DOUBLE_EQ(month.provisioned.usd, (87.0 * 730 - 18'600) * 0.00013);
}

// A local index takes the throughput of its table: one line, not two.
TEST(Cost, ALocalIndexIsPaidWithItsTable) {
  Measurement measurement = SignUpMeasurement();
  measurement.tables[0].indexes[0].is_local = true;
  const MonthCost month = ComputeCosts(measurement, {}).month;
  ASSERT_EQ(month.on_demand.lines.size(), 2u);
  EXPECT_DOUBLE_EQ(month.on_demand.lines[1].quantity, 876'000);
  EXPECT_EQ(month.provisioned.lines.size(), 2u);
}

// 30 and 20 GB: 25 of 50 are free, and each pays its share of 6.25.
TEST(Cost, StorageCountsIndexesAndTheFreeTier) {
  Measurement measurement = SignUpMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.items = table.indexes[0].items = 0;
  table.size_bytes = static_cast<std::int64_t>(30 * kGigabyte);
  table.indexes[0].size_bytes = static_cast<std::int64_t>(20 * kGigabyte);
  const CostPlan storage = ComputeCosts(measurement, {}).storage;
  EXPECT_DOUBLE_EQ(storage.usd, 6.25);
  ASSERT_EQ(storage.lines.size(), 2u);
  EXPECT_DOUBLE_EQ(storage.lines[0].usd, 3.75);
  EXPECT_DOUBLE_EQ(storage.lines[1].usd, 2.5);
  EXPECT_EQ(storage.lines[1].index, "GSI1");
}

TEST(Cost, EachStoredItemCountsAHundredBytesMore) {
  const CostPlan storage = ComputeCosts(SignUpMeasurement(), {}).storage;
  ASSERT_EQ(storage.lines.size(), 2u);
  EXPECT_DOUBLE_EQ(storage.lines[0].quantity, 1'100'000 / kGigabyte);
  EXPECT_DOUBLE_EQ(storage.lines[1].quantity, 450'000 / kGigabyte);
}

// 10,000 reads of an hour are 7.3 million of a month, of which 2.5 million are free.
TEST(Cost, StreamReadsAreExtrapolated) {
  Measurement measurement = SignUpMeasurement();
  measurement.tables[0].stream_reads = 10'000;
  EXPECT_DOUBLE_EQ(ComputeCosts(measurement, {}).month.streams.usd, 4.8e6 * 0.2e-6);
}

TEST(Cost, AssumptionsNameThePricesAndWhatIsLeftOut) {
  const auto assumptions = ComputeCosts(SignUpMeasurement(), {}).assumptions;
  EXPECT_THAT(assumptions, Contains(HasSubstr("us-east-1, published 2026-08-31")));
  EXPECT_THAT(assumptions, Contains("A gigabyte has 1,073,741,824 bytes, a month has 730 hours."));
  EXPECT_THAT(assumptions, Contains(HasSubstr("Left out are reserved capacity, savings plans")));
  EXPECT_THAT(assumptions, Not(Contains(HasSubstr("declared rate"))));
}

TEST(Cost, RatesWithoutCallsAreNamed) {
  const CostInput input{.rates = {{"sign up", 2}, {"sign in", 9}}};
  EXPECT_THAT(ComputeCosts(SignUpMeasurement(), input).rates_without_calls,
              testing::ElementsAre("sign in"));
}

TEST(Cost, APatternWithoutCallsHasNoPrice) {
  Measurement measurement;
  measurement.patterns = {{.id = "x"}};
  const Costs costs = ComputeCosts(measurement, {});
  EXPECT_EQ(costs.patterns[0].usd_per_million, 0);
  EXPECT_EQ(costs.usd_per_million, 0);
}

}  // namespace
}  // namespace hashrange
