// Tests of the model of one table or index: its number of partitions, its limits, its growth
// (docs/service/20-partition-model.md, section 1; docs/service/21-layout-lab.md, section 4).
#include "simulation/partitions/partitioned_resource.h"

#include <gtest/gtest.h>

#include "simulation/partitions/partition_map_checks.h"
#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

// The beginning of a minute.
constexpr std::int64_t kMinuteStartMs = 28'333'333 * 60'000LL;
constexpr ResourceSettings kOnDemand = {.on_demand = true};

std::size_t PartitionsOf(const ResourceSettings& settings,
                         const PartitionParameters& parameters = {}) {
  return PartitionedResource(parameters, SampleKey(), 1, settings, kMinuteStartMs).partitions();
}

// Takes writes of one unit at positions of one hash each, until a limit is met.
std::optional<ThrottlingLimit> TakeUntilLimit(PartitionedResource& resource, int most) {
  for (int i = 0; i < most; ++i) {
    const OwnedPosition position(static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15, "a");
    if (const auto limit = resource.FindLimit(kAnyWrite, position)) return limit;
    resource.Take(kAnyWrite, position.span(), 1);
  }
  return std::nullopt;
}

TEST(PartitionedResource, NewOnDemandTableHasFourPartitions) {
  EXPECT_EQ(PartitionsOf(kOnDemand), 4u);
}

TEST(PartitionedResource, ProvisionedPartitionsAreTheSumOfBothDirections) {
  struct Row {
    std::array<std::int64_t, 2> provisioned;
    std::size_t partitions;
  };
  const Row rows[] = {{{1, 1}, 1},    {{3000, 0}, 1},    {{0, 1000}, 1},        {{3, 999}, 1},
                      {{4, 999}, 2},  {{3000, 1000}, 2}, {{1, 10'000}, 11},     {{0, 3200}, 4},
                      {{0, 6000}, 6}, {{7500, 500}, 3},  {{40'000, 40'000}, 54}};
  for (const Row& row : rows) {
    EXPECT_EQ(PartitionsOf({.provisioned = row.provisioned}), row.partitions)
        << row.provisioned[0] << " " << row.provisioned[1];
  }
}

TEST(PartitionedResource, WarmThroughputAndSizeMakePartitionsToo) {
  EXPECT_EQ(PartitionsOf({.on_demand = true, .warm = {30'000, 4000}}), 10u);
  EXPECT_EQ(PartitionsOf({.on_demand = true, .warm = {12'000, 9001}}), 10u);
  EXPECT_EQ(PartitionsOf({.provisioned = {1, 1}, .warm = {12'000, 4000}}), 4u);
  EXPECT_EQ(PartitionsOf({.provisioned = {1, 1}, .size_bytes = (50LL << 30) + 1}), 6u);
}

TEST(PartitionedResource, HugeFiguresDoNotOverflow) {
  constexpr std::size_t kMost = PhysicalPartitions::kMaxPartitions / 2;
  PartitionParameters huge;
  huge.read_units = huge.write_units = INT64_MAX;
  huge.new_read_units = huge.new_write_units = INT64_MAX;
  huge.quota_read_units = huge.quota_write_units = INT64_MAX;
  huge.size_bytes = 1;
  EXPECT_EQ(PartitionsOf({.provisioned = {INT64_MAX, INT64_MAX}}, huge), 2u);
  EXPECT_EQ(PartitionsOf(kOnDemand, huge), 1u);
  EXPECT_EQ(PartitionsOf({.provisioned = {1, 1}, .size_bytes = INT64_MAX}, huge), kMost);
  EXPECT_EQ(PartitionsOf({.provisioned = {INT64_MAX, INT64_MAX}}), kMost);
  EXPECT_EQ(PartitionsOf({.provisioned = {0, 1'000'000'000'000}}), kMost);
  EXPECT_EQ(PartitionsOf({.on_demand = true, .warm = {1, INT64_MAX}}), kMost);
  PartitionParameters tiny;
  tiny.read_units = tiny.write_units = 1;
  EXPECT_EQ(PartitionsOf({.provisioned = {1, 2}}, tiny), 3u);
  EXPECT_EQ(PartitionsOf({.on_demand = true, .warm = {INT64_MAX, INT64_MAX}}, tiny), kMost);
}

TEST(PartitionedResource, RaisedThroughputAddsPartitionsAndLoweredKeepsThem) {
  PartitionedResource resource({}, SampleKey(), 1, {.provisioned = {0, 3200}}, kMinuteStartMs);
  EXPECT_EQ(resource.partitions(), 4u);
  resource.SetSettings({.provisioned = {0, 6000}});
  EXPECT_EQ(resource.partitions(), 6u);
  resource.SetSettings({.provisioned = {0, 10}});
  EXPECT_EQ(resource.partitions(), 6u);
  EXPECT_EQ(RangeComplaint(resource.Map()), "");
  EXPECT_EQ(resource.Map().partitions.back().cause, "throughput");
}

TEST(PartitionedResource, HotPositionMeetsTheKeyRange) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  const OwnedPosition hot(1, "a");
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), std::nullopt);
    resource.Take(kAnyWrite, hot.span(), 1);
  }
  EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), ThrottlingLimit::kKeyRange);
  EXPECT_EQ(resource.FindLimit(kAnyStrongRead, hot), std::nullopt);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, OwnedPosition(UINT64_MAX, "a")), std::nullopt);
}

TEST(PartitionedResource, OnDemandTableMeetsWhatItHasGrownToAndTheQuotaOfTheAccount) {
  PartitionParameters grown, quota;
  grown.new_write_units = quota.quota_write_units = 1000;
  for (const auto& [parameters, limit] : {std::pair(grown, ThrottlingLimit::kKeyRange),
                                          std::pair(quota, ThrottlingLimit::kAccount)}) {
    PartitionedResource resource(parameters, SampleKey(), 1, kOnDemand, kMinuteStartMs);
    EXPECT_EQ(resource.partitions(), 4u);
    EXPECT_EQ(TakeUntilLimit(resource, 501), limit);
    EXPECT_TRUE(resource.HasLimitForWrites());
    EXPECT_EQ(resource.Map().write_limit, 1000);
  }
}

TEST(PartitionedResource, ProvisionedTableMeetsOnlyItsPartitions) {
  PartitionParameters parameters;
  parameters.quota_write_units = parameters.new_write_units = 1;
  PartitionedResource resource(parameters, SampleKey(), 1, {.provisioned = {1, 8000}},
                               kMinuteStartMs);
  EXPECT_EQ(TakeUntilLimit(resource, 3000), std::nullopt);
  EXPECT_EQ(resource.Map().write_limit, 0);
}

TEST(PartitionedResource, OnDemandTableGrowsAfterItsHighestMinute) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  for (std::int64_t second = 0; second < 60; ++second) {
    resource.Advance(kMinuteStartMs + second * 1000);
    resource.Take(kAnyWrite, {{0, {}}, {UINT64_MAX, {}}}, 3600);
  }
  const std::int64_t due_ms = kMinuteStartMs + 60'000 + PartitionParameters().growth_after_ms;
  resource.Advance(due_ms - 1);
  EXPECT_EQ(resource.partitions(), 4u);
  EXPECT_EQ(resource.Map().write_limit, 4000);
  resource.Advance(due_ms);
  EXPECT_EQ(resource.partitions(), 8u);
  EXPECT_EQ(resource.Map().write_limit, 7200);
}

TEST(PartitionedResource, TableThatBecomesOnDemandServesWhatItProvisioned) {
  PartitionedResource resource({}, SampleKey(), 1, {.provisioned = {1, 9000}}, kMinuteStartMs);
  resource.SetSettings(kOnDemand);
  EXPECT_EQ(resource.Map().write_limit, 9000);
  EXPECT_EQ(resource.Map().read_limit, 12'000);
}

// What a table took while it was provisioned, more than it would have served on demand, is no debt.
TEST(PartitionedResource, TableThatBecomesOnDemandHasNoDebt) {
  PartitionParameters parameters;
  parameters.new_write_units = 10;
  parameters.quota_write_units = 10;
  PartitionedResource resource(parameters, SampleKey(), 1, {.provisioned = {1, 20}},
                               kMinuteStartMs);
  for (int second = 0; second < 30; ++second) {
    resource.Advance(kMinuteStartMs + second * 1000);
    resource.Take(kAnyWrite, OwnedPosition(1, "a").span(), 200);
  }
  resource.SetSettings(kOnDemand);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, OwnedPosition(1, "a")), std::nullopt);
}

TEST(PartitionedResource, TimesOfTheMapGoBackWithTheClock) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  resource.Advance(kMinuteStartMs + 3'600'000);
  resource.Take(kAnyWrite, OwnedPosition(1, "a").span(), 1);
  resource.Advance(kMinuteStartMs);
  const PartitionMap map = resource.Map();
  EXPECT_EQ(map.began_epoch_ms, kMinuteStartMs - 3'600'000);
  ASSERT_EQ(map.slices.size(), 1u);
  EXPECT_LE(map.slices[0].begin_epoch_ms, kMinuteStartMs);
  EXPECT_GT(map.slices[0].begin_epoch_ms, kMinuteStartMs - map.slice_ms);
}

TEST(PartitionedResource, RefusalsAreCountedByLimitAndAreHeatIfForTheKeyRange) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  const OwnedPosition position(1, "a");
  resource.AddRefused(kAnyWrite, position, 1, ThrottlingLimit::kKeyRange);
  resource.AddRefused(kAnyWrite, position, 1, ThrottlingLimit::kAccount);
  resource.AddRefused(kAnyWrite, position, 1, ThrottlingLimit::kProvisioned);
  resource.AddRefused(kAnyWrite, position, 1, ThrottlingLimit::kProvisioned);
  EXPECT_EQ(resource.refused(Direction::kWrite, ThrottlingLimit::kKeyRange), 1);
  EXPECT_EQ(resource.refused(Direction::kWrite, ThrottlingLimit::kAccount), 1);
  EXPECT_EQ(resource.refused(Direction::kWrite, ThrottlingLimit::kProvisioned), 2);
  EXPECT_EQ(resource.refused(Direction::kRead, ThrottlingLimit::kKeyRange), 0);
  EXPECT_EQ(resource.Map().partitions[0].throttled_writes, 1);
}

TEST(PartitionedResource, GivingBackWhatWasTakenInAdvanceChangesNothing) {
  PartitionParameters parameters;
  parameters.quota_write_units = 100;
  PartitionedResource resource(parameters, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  const OwnedPosition position(1, "a");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(resource.FindLimit(kAnyWrite, position), std::nullopt);
    resource.TakeInAdvance(kAnyWrite, position, 1);
    resource.TakeInAdvance(kAnyWrite, position, -1);
  }
  EXPECT_EQ(resource.Map().partitions[0].write_units, 0);
  resource.TakeInAdvance(kAnyWrite, position, 50);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, position), ThrottlingLimit::kAccount);
}

TEST(PartitionedResource, TimeStandsStillWhileTheClockIsSetBack) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  const OwnedPosition hot(1, "a");
  resource.Take(kAnyWrite, hot.span(), 1500);
  resource.Advance(kMinuteStartMs - 3'600'000);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), ThrottlingLimit::kKeyRange);
  resource.Advance(kMinuteStartMs - 3'600'000 + 1000);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), ThrottlingLimit::kKeyRange);
  resource.Advance(kMinuteStartMs - 3'600'000 + 1001);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), std::nullopt);
}

TEST(PartitionedResource, TimeThatPassesAgainIsNotCreditedAgain) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  const OwnedPosition hot(1, "a");
  resource.Take(kAnyWrite, hot.span(), 1500);
  resource.Advance(kMinuteStartMs - 10'000);
  resource.Advance(kMinuteStartMs);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), ThrottlingLimit::kKeyRange);
  resource.Advance(kMinuteStartMs + 1001);
  EXPECT_EQ(resource.FindLimit(kAnyWrite, hot), std::nullopt);
}

TEST(PartitionedResource, NothingTakenIsNoHeat) {
  PartitionedResource resource({}, SampleKey(), 1, kOnDemand, kMinuteStartMs);
  resource.Take(kAnyWrite, OwnedPosition(1, "a").span(), 0);
  EXPECT_TRUE(resource.Map().slices.empty());
}

// Tests of what an on-demand table grows to (docs/service/20-partition-model.md, section 1).

constexpr std::int64_t kAfterMs = 30 * kMinuteMs;

// Serves this many units a second for a minute that begins at `begin_ms`.
void ServeMinute(ThroughputGrowth& growth, double units_per_second, std::int64_t begin_ms) {
  for (int second = 0; second < 60; ++second)
    growth.Add(units_per_second, begin_ms + 1000 * second);
}

TEST(ThroughputGrowth, ServesTwiceTheHighestMinuteAfterItsTime) {
  ThroughputGrowth growth(4000, kAfterMs, kMinuteStartMs);
  ServeMinute(growth, 3000, kMinuteStartMs);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + kMinuteMs + kAfterMs - 1), 4000);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + kMinuteMs + kAfterMs), 6000);
}

TEST(ThroughputGrowth, NeverShrinks) {
  ThroughputGrowth growth(4000, 0, kMinuteStartMs);
  ServeMinute(growth, 3000, kMinuteStartMs);
  ServeMinute(growth, 2500, kMinuteStartMs + kMinuteMs);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + 1000 * kMinuteMs), 6000);
}

TEST(ThroughputGrowth, HalfOfWhatIsServedIsNoGrowth) {
  ThroughputGrowth growth(4000, 0, kMinuteStartMs);
  ServeMinute(growth, 2000, kMinuteStartMs);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + 1000 * kMinuteMs), 4000);
}

TEST(ThroughputGrowth, GrowsStepByStep) {
  ThroughputGrowth growth(4000, kAfterMs, kMinuteStartMs);
  ServeMinute(growth, 3000, kMinuteStartMs);
  ServeMinute(growth, 4000, kMinuteStartMs + kMinuteMs);
  const std::int64_t first_ms = kMinuteStartMs + kMinuteMs + kAfterMs;
  EXPECT_EQ(growth.UnitsPerSecond(first_ms), 6000);
  EXPECT_EQ(growth.UnitsPerSecond(first_ms + kMinuteMs - 1), 6000);
  EXPECT_EQ(growth.UnitsPerSecond(first_ms + kMinuteMs), 8000);
}

// A minute counts as a whole: a burst of one second is little.
TEST(ThroughputGrowth, BurstCountsByItsMinute) {
  ThroughputGrowth growth(4000, 0, kMinuteStartMs);
  growth.Add(60'000, kMinuteStartMs + 59'999);
  growth.Add(60'000, kMinuteStartMs + kMinuteMs);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + 2 * kMinuteMs), 4000);
  growth.Add(180'000, kMinuteStartMs + 2 * kMinuteMs);
  growth.Add(180'000, kMinuteStartMs + 3 * kMinuteMs - 1);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + 3 * kMinuteMs), 12'000);
}

TEST(ThroughputGrowth, RaiseHoldsAtOnce) {
  ThroughputGrowth growth(4000, kAfterMs, kMinuteStartMs);
  growth.Raise(9000);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs), 9000);
  growth.Raise(5000);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs), 9000);
}

TEST(ThroughputGrowth, GrowthThatIsDueBelowARaiseChangesNothing) {
  ThroughputGrowth growth(4000, kAfterMs, kMinuteStartMs);
  ServeMinute(growth, 3000, kMinuteStartMs);
  growth.UnitsPerSecond(kMinuteStartMs + kMinuteMs);
  growth.Raise(50'000);
  EXPECT_EQ(growth.UnitsPerSecond(kMinuteStartMs + kMinuteMs + kAfterMs), 50'000);
}

}  // namespace
}  // namespace hashrange::test
