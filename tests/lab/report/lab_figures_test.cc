#include "lab/report/lab_figures.h"

#include <gtest/gtest.h>

#include "lab/report/lab_example.h"

namespace hashrange {
namespace {

class LabFiguresTest : public testing::Test {
 protected:
  // Returns figures that point into the file and the result.
  LabFigures Figures() const { return MakeLabFigures(file_, result_); }

  const LabFile file_ = ShopLab();
  LabResult result_ = ShopLabResult();
};

// A call of "newest customers" takes eight requests in the sharded layout, which the meter counts
// as eight calls.
TEST_F(LabFiguresTest, ACallOfSeveralRequestsIsPricedWhole) {
  const LabFigures figures = Figures();
  ASSERT_EQ(figures.layouts.size(), 2u);
  constexpr double kSecondsOfMonth = 730 * 3600;
  const LabPatternFigures& pattern = figures.layouts[1].patterns[1];
  EXPECT_DOUBLE_EQ(pattern.month_usd.value(), 5 * kSecondsOfMonth * 8 * 0.125e-6);
  EXPECT_DOUBLE_EQ(pattern.requests_a_call, 8);
  EXPECT_DOUBLE_EQ(pattern.requests_p99, 8);
  EXPECT_DOUBLE_EQ(figures.layouts[0].patterns[1].month_usd.value(),
                   5 * kSecondsOfMonth * 4 * 0.125e-6);
}

// Of "orders of a product", one of 100 calls was made; the month has them all.
TEST_F(LabFiguresTest, ThinnedPatternsCountInFull) {
  const LabFigures figures = Figures();
  const LabPatternFigures& pattern = figures.layouts[1].patterns[2];
  EXPECT_DOUBLE_EQ(pattern.run->weight, 100);
  EXPECT_DOUBLE_EQ(pattern.month_usd.value(), 20.0 * 730 * 3600 * 5'200 * 0.125e-6);
}

// Else a layout that fails its calls would be cheaper than one that serves them.
TEST_F(LabFiguresTest, TheMonthTakesEveryCallAsServed) {
  const double usd = Figures().layouts[1].patterns[3].month_usd.value();
  PatternRun& sign_up = result_.runs[1].patterns[3];
  sign_up.calls += 36'000;
  sign_up.failed += 36'000;
  EXPECT_DOUBLE_EQ(Figures().layouts[1].patterns[3].month_usd.value(), usd);
}

// What failed calls wrote before they failed is not what a call costs.
TEST_F(LabFiguresTest, AMonthLacksAPatternWhoseCallsAllFailed) {
  const double usd = Figures().layouts[0].month->usd;
  PatternRun& sign_up = result_.runs[0].patterns[3];
  sign_up.failed = sign_up.calls;
  sign_up.read_units = sign_up.write_units = {};
  const LabFigures figures = Figures();
  const LabLayoutFigures& layout = figures.layouts[0];
  EXPECT_EQ(layout.patterns[3].month_usd, std::nullopt);
  EXPECT_FALSE(layout.HasWholeMonth());
  EXPECT_NEAR(layout.month->usd, usd - 164.25, 0.01);
}

TEST_F(LabFiguresTest, TheMonthIsThatOfItsPatternsAndStorage) {
  for (const LabLayoutFigures& layout : Figures().layouts) {
    double sum = layout.month->storage_usd;
    for (const LabPatternFigures& pattern : layout.patterns) sum += pattern.month_usd.value_or(0);
    EXPECT_NEAR(layout.month->on_demand_usd, sum, sum * 1e-9);
    EXPECT_EQ(layout.month->usd, layout.month->on_demand_usd);  // its table is on demand
  }
}

TEST_F(LabFiguresTest, SharesCountThinnedRequestsByTheirWeight) {
  result_ = {};
  LayoutRun& run = result_.runs.emplace_back();
  run.layout = "one key";
  run.patterns = {{.name = "customer", .weight = 1, .calls = 10, .requests = 10, .throttled = 5},
                  {.name = "sign up", .weight = 10, .calls = 9, .failed = 9, .requests = 9}};
  const LabLayoutFigures layout = Figures().layouts[0];
  EXPECT_DOUBLE_EQ(layout.throttled_share, 0.05);
  EXPECT_DOUBLE_EQ(layout.failed_share, 0.9);
  EXPECT_EQ(layout.requests, 100u);
}

TEST_F(LabFiguresTest, TheLargestCollectionIsThatOfAllTablesAndIndexes) {
  const LabFigures figures = Figures();
  EXPECT_EQ(figures.layouts[0].largest_collection->key, "GSI1PK=CUSTOMER");
  EXPECT_EQ(figures.layouts[0].largest_collection->size_bytes, 270'000'000);
  EXPECT_EQ(figures.layouts[1].largest_collection->size_bytes, 12'000'000);
}

TEST_F(LabFiguresTest, FindingsOfThePlanStandAmongTheOthersBySeverity) {
  const LabFigures figures = Figures();
  const std::vector<ReportedFinding>& findings = figures.layouts[1].input.findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "unserved-pattern");
  EXPECT_EQ(figures.layouts[1].FindingCount("severe"),
            figures.layouts[0].FindingCount("severe") + 1);
}

TEST_F(LabFiguresTest, TheSmallestScaleIsCompared) {
  result_ = ShopLabAtTwoScales();
  const LabFigures figures = Figures();
  ASSERT_EQ(figures.layouts.size(), 2u);
  EXPECT_EQ(figures.layouts[1].run->scale, 1u);
  ASSERT_EQ(figures.scales.size(), 2u);
  EXPECT_EQ(figures.scales[1].scales[1].scale, 10u);
  EXPECT_FALSE(UnitsDifferByScale(figures, 0));
  EXPECT_TRUE(UnitsDifferByScale(figures, 2));
}

}  // namespace
}  // namespace hashrange
