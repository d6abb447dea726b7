#include "lab/endpoint/run_cost.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "lab/run/run_file.h"

namespace hashrange {
namespace {

constexpr const char* kPaidThings = R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}}}}
access_patterns:
  ask: {get: Thing, by: [id], rate: 100/s}
  make: {create: Thing, rate: 10/s}
layouts:
  on demand: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}
  provisioned: {tables: {things: {key: [PK], billing: {read: 10, write: 100}, items: {Thing: {PK: "{id}"}}}}}
traffic: [{for: 100s, rate: 1}, {for: 100s, ramp: [1, 3]}]
)";

LayoutRun ModelledRun(const std::string& layout) {
  LayoutRun run{.layout = layout};
  run.patterns = {{.name = "ask", .declared_calls_per_second = 100, .calls = 2},
                  {.name = "make", .declared_calls_per_second = 10, .calls = 1}};
  run.patterns[0].read_units.Add(0.5, 2);
  run.patterns[0].write_units.Add(0, 2);
  run.patterns[1].read_units.Add(0, 1);
  run.patterns[1].write_units.Add(2, 1);
  return run;
}

TEST(RunCost, UnitsAreThoseOfTheModelForTheTrafficThatIsMade) {
  const LabFile file = FileOf(kPaidThings);
  // 100 s at 1 and 50 s from 1 to 2 are as many calls as 175 s at 1; half of them are made.
  const RunCost cost =
      EstimateRun(file, ModelledRun("on demand"), 1000, {.rate = 0.5, .length_ms = 150'000});
  EXPECT_DOUBLE_EQ(cost.read_units, 0.5 * 175 * 100 * 0.5);
  EXPECT_DOUBLE_EQ(cost.write_units, 0.5 * 175 * 10 * 2);
  EXPECT_DOUBLE_EQ(cost.usd, 4375 * 0.125e-6 + 2750 * 0.625e-6);
  EXPECT_EQ(RunCostText("on demand", cost),
            "\"on demand\": about US$ 0.00227 for 1,000 write units of the fill, 4,375 read units "
            "and 1,750 write units of the traffic");
}

TEST(RunCost, CapacityIsChargedByTheHour) {
  const LabFile file = FileOf(kPaidThings);
  const RunCost cost = EstimateRun(file, ModelledRun("provisioned"), 1000, {});
  EXPECT_DOUBLE_EQ(cost.read_units, 300 * 100 * 0.5);
  EXPECT_DOUBLE_EQ(cost.usd, 10 * 0.00013 + 100 * 0.00065);
}

TEST(RunCost, APatternWithoutKnownUnitsIsNamed) {
  const LabFile file = FileOf(kPaidThings);
  LayoutRun run = ModelledRun("on demand");
  run.patterns[1].write_units = run.patterns[1].read_units = {};
  run.patterns[1].failed = 1;
  EXPECT_EQ(
      RunCostText("on demand", EstimateRun(file, run, 4, {})),
      "\"on demand\": about US$ 0.00188 for 4 write units of the fill, 15,000 read units and 0 "
      "write units of the traffic, and what \"make\" takes, which is not known");
}

// A run that makes more calls than the model may call what the model has not called.
TEST(RunCost, APatternThatWasNotModelledIsNamedWhenItMayBeCalled) {
  const LabFile file = FileOf(kPaidThings);
  LayoutRun run = ModelledRun("on demand");
  run.patterns[1] = {.name = "make", .declared_calls_per_second = 0.001};
  const auto unknown = [&](const EndpointTraffic& traffic) {
    return EstimateRun(file, run, 4, traffic).unknown;
  };
  EXPECT_TRUE(unknown({}).empty());
  EXPECT_EQ(unknown({.rate = 2}), std::vector<std::string>{"make"});
  run.patterns[1].weight = 10;
  EXPECT_EQ(unknown({}), std::vector<std::string>{"make"});
}

TEST(RunCost, WhatWasSpentIsCounted) {
  const LabFile file = FileOf(kPaidThings);
  SpendCount spend(0.07);
  spend.BeginLayout(PricesOf(file.layouts[1]), Instant());
  EXPECT_DOUBLE_EQ(spend.usd(), 0.0663);
  spend.Add(false, 1e9);  // within what is provisioned
  EXPECT_FALSE(spend.IsExceeded());
  spend.BeginLayout(PricesOf(file.layouts[0]), Instant());
  spend.Add(true, 10'000);
  EXPECT_DOUBLE_EQ(spend.usd(), 0.0663 + 0.00125);
  EXPECT_FALSE(spend.IsExceeded());
  spend.Add(false, 10'000);
  EXPECT_TRUE(spend.IsExceeded());
  EXPECT_EQ(spend.ExceededText(), "The run has cost about US$ 0.0738, and --spend allows US$ 0.07");
  EXPECT_FALSE(SpendCount(std::nullopt).IsExceeded());
}

TEST(RunCost, EachHourOfCapacityIsCountedWhenItBegins) {
  using std::chrono::minutes;
  const LabFile file = FileOf(kPaidThings);
  const double hour_usd = PricesOf(file.layouts[1]).capacity_hour_usd;
  const Instant begin = Instant() + minutes(7);
  SpendCount spend(3.5 * hour_usd);
  EXPECT_TRUE(spend.IsExceeded(3.6 * hour_usd));
  spend.BeginLayout(PricesOf(file.layouts[1]), begin);
  spend.CountHours(begin + minutes(59));
  EXPECT_DOUBLE_EQ(spend.usd(), hour_usd);
  spend.CountHours(begin + minutes(60));
  EXPECT_DOUBLE_EQ(spend.usd(), 2 * hour_usd);
  EXPECT_FALSE(spend.IsExceeded());
  spend.EndLayout(begin + minutes(185));
  EXPECT_DOUBLE_EQ(spend.usd(), 4 * hour_usd);
  EXPECT_TRUE(spend.IsExceeded());
  spend.CountHours(begin + minutes(1000));
  EXPECT_DOUBLE_EQ(spend.usd(), 4 * hour_usd);
}

}  // namespace
}  // namespace hashrange
