#include "lab/report/lab_verdict.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/report/lab_example.h"

namespace hashrange {
namespace {

// Figures of layouts whose months and first limits are given; nothing else is known.
LabFigures FiguresOf(std::initializer_list<std::pair<double, double>> months_and_multiples) {
  static const LayoutRun kRun;
  LabFigures figures;
  for (const auto& [usd, multiple] : months_and_multiples) {
    LabLayoutFigures& layout = figures.layouts.emplace_back();
    layout.run = &kRun;
    layout.name = std::string(1, static_cast<char>('a' + figures.layouts.size() - 1));
    layout.month = LabMonth{.usd = usd};
    layout.first_limit = DeclaredLimit{
        .row = {.table = "shop", .what = "key", .key = "PK=X", .direction = "write", .limit = 1000},
        .multiple = multiple};
  }
  return figures;
}

TEST(LabVerdict, TheCheapestIsTaken) {
  const LabVerdict verdict = JudgeLayouts(FiguresOf({{20, 9}, {10, 2}}), {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_EQ(verdict.headline,
            "Take \"b\": it costs US$ 10.00 a month after AWS's free tier, serves every pattern, "
            "and breaks first at 2 × "
            "the declared rates: shop, key PK=X, writes.");
  EXPECT_EQ(verdict.reasons,
            std::vector<std::string>{
                "\"a\" costs US$ 20.00 a month (+100 % against \"b\") and breaks first at 9 × "
                "the declared rates: shop, key PK=X, writes."});
}

TEST(LabVerdict, OfEqualMonthsTheGreaterHeadroomIsTaken) {
  const LabVerdict verdict = JudgeLayouts(FiguresOf({{10, 2}, {10.01, 3}}), {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_TRUE(verdict.reasons[0].starts_with("\"a\" costs US$ 10.00 a month (same as \"b\")"))
      << verdict.reasons[0];
  EXPECT_EQ(JudgeLayouts(FiguresOf({{10, 2}, {10.2, 3}}), {}).layout, 0u);
}

TEST(LabVerdict, WhatDoesNotCarryTheRatesIsNotTaken) {
  const LabVerdict verdict = JudgeLayouts(FiguresOf({{10, 0.9}, {20, 1}}), {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_EQ(JudgeLayouts(FiguresOf({{10, 0.9}, {20, 0.95}}), {}).reasons[0],
            "No layout carries the declared rates: \"a\" meets its first limit before them.");
}

TEST(LabVerdict, WhatBreaksALimitIsNotTaken) {
  const LabVerdict verdict = JudgeLayouts(FiguresOf({{10, 2}, {20, 3}}), {{0, "a: …"}});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_EQ(JudgeLayouts(FiguresOf({{10, 2}, {20, 3}}), {{0, "a: …"}, {1, "b: …"}}).layout, 0u);
}

TEST(LabVerdict, WhatCannotServeAPatternIsNotTaken) {
  PatternPlan plan;
  plan.impossible = "It is not stored.";
  LabFigures figures = FiguresOf({{10, 9}, {20, 0.5}});
  figures.layouts[0].patterns = {{.name = "p", .plan = &plan}};
  figures.layouts[1].patterns = {{.name = "p"}};
  const LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_TRUE(verdict.reasons[1].starts_with("\"a\" cannot serve \"p\", costs"))
      << verdict.reasons[1];
}

TEST(LabVerdict, AnInterruptedRunHasNoVerdict) {
  LabFigures figures = FiguresOf({{20, 9}, {10, 2}});
  const LayoutRun partial = {.is_partial = true};
  figures.layouts[1].run = &partial;
  const LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.layout, std::nullopt);
  EXPECT_EQ(verdict.headline,
            "The run was interrupted: its figures are of a part of the traffic, and there is no "
            "verdict.");
  EXPECT_TRUE(verdict.reasons.empty());
}

TEST(LabVerdict, AMonthThatLacksAPatternIsNotTheCheapest) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 9}});
  const PatternRun run = {.name = "look", .declared_calls_per_second = 1};
  const PatternPlan plan;
  figures.layouts[0].patterns = {{.name = "look", .plan = &plan, .run = &run}};
  figures.layouts[1].patterns = {{.name = "look", .plan = &plan, .run = &run, .month_usd = 15}};
  LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_EQ(
      verdict.reasons,
      std::vector<std::string>{
          "\"a\" costs US$ 10.00 a month without \"look\", whose cost is not known and breaks "
          "first at 9 × the declared rates: shop, key PK=X, writes."});
  figures.layouts.pop_back();
  verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.headline,
            "\"a\" costs US$ 10.00 a month after AWS's free tier, without \"look\", whose cost is "
            "not known, serves every "
            "pattern, and breaks first at 9 × the declared rates: shop, key PK=X, writes.");
}

TEST(LabVerdict, AFirstLimitThatNoTrialConfirmsIsDoubted) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 9}});
  LayoutRun run = {.trials = {{.multiple = 8, .throttled = 0.004}}};
  for (LabLayoutFigures& layout : figures.layouts) {
    layout.run = &run;
    layout.first_limit->not_confirmed_because = "above it, nothing broke";
  }
  LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_TRUE(verdict.headline.ends_with(
      "first at 9 × the declared rates (computed): shop, key PK=X, writes. No trials confirm this "
      "limit: above it, nothing broke."))
      << verdict.headline;
  EXPECT_TRUE(verdict.reasons[0].ends_with(
      "breaks first at 9 × the declared rates (computed): shop, key PK=X, writes."))
      << verdict.reasons[0];
  run.trials.clear();
  verdict = JudgeLayouts(figures, {});
  EXPECT_TRUE(verdict.headline.ends_with(
      ", writes. This limit is computed, and was not tried: above it, nothing broke."))
      << verdict.headline;
  figures.layouts[0].first_limit->not_confirmed_because = "";
  verdict = JudgeLayouts(figures, {});
  EXPECT_TRUE(verdict.headline.ends_with("9 × the declared rates: shop, key PK=X, writes."))
      << verdict.headline;
}

TEST(LabVerdict, NewTablesThatThrottleBelowTheLimitOfWarmOnesAreTold) {
  LabFigures figures = FiguresOf({{10, 270}});
  LayoutRun run = *figures.layouts[0].run;
  run.measurement.tables = {{.name = "cars", .on_demand = true}};
  LabLayoutFigures& layout = figures.layouts[0];
  layout.run = &run;
  layout.greatest_factor = 60;
  layout.throttled_share = 0.0263;
  layout.throttle_place = {"start a trip", 0.4, "cars", "", ""};
  LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.headline,
            "\"a\" costs US$ 10.00 a month after AWS's free tier, serves every pattern, and breaks "
            "first at 270 × the declared rates once its tables are warm: shop, key PK=X, writes.");
  EXPECT_EQ(verdict.reasons,
            std::vector<std::string>{
                "In the traffic of the file, at up to 60 × the declared rates, \"a\" throttled "
                "2.63 % of the requests, mostly of \"start a trip\", at cars: its tables were new "
                "then, and serve less than warm ones."});
  layout.greatest_factor = 300;
  EXPECT_TRUE(JudgeLayouts(figures, {}).reasons.empty());
}

TEST(LabVerdict, WhatFailsEveryCallOfAPatternIsNotTaken) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 0.5}});
  const PatternRun failing = {
      .name = "look", .declared_calls_per_second = 1, .calls = 7, .failed = 7};
  PatternRun served = failing;
  served.failed = 6;
  const PatternPlan plan;
  figures.layouts[0].patterns = {{.name = "look", .plan = &plan, .run = &failing}};
  figures.layouts[1].patterns = {{.name = "look", .plan = &plan, .run = &served, .month_usd = 15}};
  LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_TRUE(verdict.reasons.back().starts_with("\"a\" fails every call of \"look\", costs "))
      << verdict.reasons.back();
  figures.layouts.pop_back();
  verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(
      verdict.headline,
      "\"a\" costs US$ 10.00 a month after AWS's free tier, without \"look\", whose cost is not "
      "known, fails every "
      "call of \"look\", and breaks first at 9 × the declared rates (without \"look\"): shop, "
      "key PK=X, writes.");
}

TEST(LabVerdict, WhatLosesItemsIsNotTakenWhileAnotherServesEveryPattern) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 9}});
  const LayoutRun losing = {.items_loaded = 400, .items_replaced = 40};
  figures.layouts[0].run = &losing;
  EXPECT_TRUE(JudgeLayouts(figures, {})
                  .reasons[0]
                  .starts_with("\"a\" loses 40 of 400 items, as others have the same keys, costs "
                               "US$ 10.00 a month"));
  figures.layouts[0].wrong = {.least = 0.02, .most = 0.03, .is_known = true};
  LabVerdict verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(verdict.layout, 1u);
  EXPECT_TRUE(verdict.reasons[0].starts_with(
      "\"a\" answers 2 % to 3 % of its calls wrong, as 40 of 400 items share a key with another, "
      "costs US$ 10.00 a month"))
      << verdict.reasons[0];
  PatternPlan impossible;
  impossible.impossible = "it is not stored";
  figures.layouts[1].patterns = {{.name = "look", .plan = &impossible}};
  PatternPlan served;
  figures.layouts[0].patterns = {{.name = "look", .plan = &served, .month_usd = 10}};
  EXPECT_EQ(JudgeLayouts(figures, {}).layout, 0u);
  figures.layouts.pop_back();
  verdict = JudgeLayouts(figures, {});
  EXPECT_EQ(
      verdict.headline,
      "\"a\" costs US$ 10.00 a month after AWS's free tier, serves every pattern, but answers "
      "2 % to 3 % of its calls wrong, as 40 of 400 items share a key with another, and "
      "breaks first at 9 × the declared rates: shop, key PK=X, writes.");
}

TEST(LabVerdict, NoLayoutHasNoVerdict) {
  const LabVerdict verdict = JudgeLayouts({}, {});
  EXPECT_EQ(verdict.layout, std::nullopt);
  EXPECT_EQ(verdict.headline, "No layout was run.");
}

}  // namespace
}  // namespace hashrange
