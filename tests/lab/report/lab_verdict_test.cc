#include "lab/report/lab_verdict.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/report/lab_example.h"

namespace hashrange {
namespace {

const LabFile kFile;

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
    layout.key_limit = layout.first_limit;
  }
  return figures;
}

TEST(LabVerdict, TheCheapestIsTaken) {
  const LabVerdict verdict = JudgeLayouts(kFile, FiguresOf({{20, 9}, {10, 4}}), {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_EQ(verdict.headline,
            "Take \"b\": it costs US$ 10.00 a month after AWS's free tier, serves every pattern, "
            "and breaks first at 4 × "
            "the declared rates: shop, key PK=X, writes.");
  EXPECT_EQ(verdict.reasons,
            std::vector<std::string>{
                "\"a\" costs US$ 20.00 a month (+100 % against \"b\") and breaks first at 9 × "
                "the declared rates: shop, key PK=X, writes."});
}

TEST(LabVerdict, OfEqualMonthsTheGreaterHeadroomIsTaken) {
  const LabVerdict verdict = JudgeLayouts(kFile, FiguresOf({{10, 4}, {10.01, 6}}), {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.reasons[0].starts_with("\"a\" costs US$ 10.00 a month (same as \"b\")"))
      << verdict.reasons[0];
  // Months that differ by 2 % or US$ 1 are equal, and headroom above 10 counts the same.
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{10, 4}, {10.9, 6}}), {}).layout(), 1u);
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{10, 4}, {11.1, 6}}), {}).layout(), 0u);
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{100, 4}, {101.9, 6}}), {}).layout(), 1u);
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{100, 11}, {100.5, 60}}), {}).layout(), 0u);
}

TEST(LabVerdict, OfEqualMonthsAndHeadroomFewerRoundTripsAndIndexesAreTaken) {
  LabFigures figures = FiguresOf({{10, 9}, {10.5, 9}});
  figures.layouts[0].indexes = 1;
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).layout(), 1u);
  PatternRun two = {.name = "look", .declared_calls_per_second = 1};
  two.round_trips.Add(2);
  PatternRun one = {.name = "look", .declared_calls_per_second = 1};
  one.round_trips.Add(1);
  figures.layouts[0].patterns = {{.name = "look", .run = &one, .month_usd = 1}};
  figures.layouts[1].patterns = {{.name = "look", .run = &two, .month_usd = 1}};
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).layout(), 0u);
}

TEST(LabVerdict, AKeyWithLittleHeadroomIsNotTakenThoughItIsCheaper) {
  const LabVerdict verdict = JudgeLayouts(kFile, FiguresOf({{100, 1.04}, {260, 10.4}}), {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_EQ(
      verdict.headline,
      "Take \"b\": US$ 160.00 a month more than \"a\", which stands at 96.2 % of the writes "
      "that one partition key takes at the declared rates (shop, PK=X). It costs US$ 260.00 a "
      "month after AWS's free tier, serves every pattern, and breaks first at 10.4 × the "
      "declared rates: shop, key PK=X, writes.");
  // Of layouts all of whose keys have little headroom, those with the most are left.
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{100, 1.1}, {260, 2.5}, {250, 2.4}}), {}).layout(), 2u);
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{100, 1.1}, {260, 2.5}}), {}).reasons[0],
            "No layout has room for 3 times the declared rates: \"b\" stands at 40 % of the writes "
            "that one partition key takes at the declared rates (shop, PK=X).");
}

TEST(LabVerdict, AQuotaIsNoLimitOfTheLayout) {
  LabFigures figures = FiguresOf({{100, 2}, {260, 10}});
  figures.layouts[0].key_limit.reset();
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).layout(), 0u);
}

TEST(LabVerdict, WhatDoesNotEnforceWhatTheFileDeclaresIsNotTaken) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 9}});
  LayoutRun run = *figures.layouts[0].run;
  run.plan.findings = {{.rule = "key-without-tenant"}, {.rule = "key-without-tenant"}};
  figures.layouts[0].run = &run;
  const LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.headline.starts_with(
      "Take \"b\": US$ 10.00 a month more than \"a\", which breaks 2 rules of the file "
      "(key-without-tenant). It costs"))
      << verdict.headline;
  run.plan.findings = {{.rule = "unserved-pattern"}};
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).layout(), 0u);
}

TEST(LabVerdict, WhatOutgrowsTheServiceIsNotTaken) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 9}});
  figures.layouts[0].outgrown = {"The item of the Order passes 400 KB after 3 months."};
  const LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.headline.starts_with(
      "Take \"b\": US$ 10.00 a month more than \"a\", which meets a size limit of the service "
      "within 36 months of the declared traffic. It costs"))
      << verdict.headline;
  figures.layouts.pop_back();
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).reasons[0],
            "\"a\": The item of the Order passes 400 KB after 3 months.");
}

TEST(LabVerdict, AScanThatWeighsIsNotTaken) {
  const PatternPlan scan = {.service = PlanService::kScanned};
  PatternPlan index_scan = scan;
  index_scan.scans_only_asked = true;
  const PatternRun run = {.name = "look"};
  struct Case {
    const PatternPlan& plan;
    double units;
    double usd;  // of 10 a month
    std::size_t taken;
  };
  for (const auto& [plan, units, usd, taken] : {
           Case{scan, 51, 0.1, 1},
           Case{scan, 49, 0.1, 0},
           Case{scan, 49, 1.1, 1},
           Case{index_scan, 51, 1.1, 0},
       }) {
    LabFigures figures = FiguresOf({{10, 9}, {20, 9}});
    figures.layouts[0].month->on_demand_usd = 10;
    figures.layouts[0].patterns = {{.name = "look",
                                    .plan = &plan,
                                    .run = &run,
                                    .succeeded = 1,
                                    .read_units = {.mean = units},
                                    .month_usd = usd}};
    figures.layouts[1].patterns = {{.name = "look"}};
    const LabVerdict verdict = JudgeLayouts(kFile, figures, {});
    EXPECT_EQ(verdict.layout(), taken) << units << " " << usd;
    if (units != 51 || taken == 0) continue;
    EXPECT_TRUE(verdict.headline.starts_with(
        "Take \"b\": US$ 10.00 a month more than \"a\", which scans a table for \"look\" (51 r a "
        "call). It costs"))
        << verdict.headline;
  }
}

TEST(LabVerdict, WhatIsBetterInNothingIsTold) {
  const LabVerdict verdict = JudgeLayouts(kFile, FiguresOf({{10, 9}, {20, 9}, {20, 12}}), {});
  EXPECT_EQ(verdict.choice->dominated_by,
            (std::vector<std::optional<std::size_t>>{std::nullopt, 0, std::nullopt}));
  EXPECT_TRUE(verdict.reasons[0].ends_with(
      "writes and is better than \"a\" in nothing (month, headroom, round trips, indexes)."))
      << verdict.reasons[0];
}

TEST(LabVerdict, WhatWouldChangeTheChoiceIsTold) {
  LabFigures figures = FiguresOf({{100, 1.5}, {260, 15}});
  for (LabLayoutFigures& layout : figures.layouts) layout.month->on_demand_usd = layout.month->usd;
  LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_EQ(verdict.reasons.back(),
            "Below 0.5 × the declared rates, take \"a\": its keys have room enough there.");
  // The same layouts at a tenth of the rates, which one pattern makes.
  figures = FiguresOf({{10, 15}, {26, 150}});
  LabFile file;
  file.layouts = {{.name = "a", .tables = {{.name = "shop"}}}};
  PatternPlan plan;
  plan.cost.keys = {{.key = {.table = 0}, .is_write = true, .units = 1, .hottest_share = 1}};
  const PatternRun run = {.name = "submit", .declared_calls_per_second = 20};
  for (LabLayoutFigures& layout : figures.layouts) {
    layout.month->on_demand_usd = layout.month->usd;
    layout.patterns = {{.name = "submit", .plan = &plan, .run = &run, .month_usd = 1}};
  }
  verdict = JudgeLayouts(file, figures, {});
  EXPECT_EQ(verdict.layout(), 0u);
  EXPECT_EQ(verdict.reasons.back(),
            "Above 5 × the declared rates (100 calls/s of \"submit\"), take \"b\": the keys of "
            "\"a\" have too little room there.");
  // Months cross where one layout stores more, and the other takes more units.
  figures = FiguresOf({{30, 900}, {40, 900}});
  figures.layouts[1].month->storage_usd = 25;
  for (LabLayoutFigures& layout : figures.layouts) layout.month->on_demand_usd = layout.month->usd;
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).reasons.back(),
            "Above 1.67 × the declared rates, take \"b\": it costs less there.");
  // Of equal months, ten times the rates are room enough.
  const auto change_of = [](std::initializer_list<std::pair<double, double>> layouts) {
    LabFigures equal = FiguresOf(layouts);
    for (LabLayoutFigures& layout : equal.layouts) layout.month->on_demand_usd = layout.month->usd;
    return JudgeLayouts(kFile, equal, {}).reasons.back();
  };
  EXPECT_EQ(change_of({{1000, 1.04}, {1010, 9.9}}),
            "Below 0.104 × the declared rates, take \"a\": its keys have room enough there.");
  EXPECT_EQ(change_of({{1000, 20}, {1010, 200}}),
            "Above 2 × the declared rates, take \"b\": it costs about the same, and its keys have "
            "more room there.");
}

TEST(LabVerdict, WhatDoesNotCarryTheRatesIsNotTaken) {
  const LabVerdict verdict = JudgeLayouts(kFile, FiguresOf({{10, 0.9}, {20, 3}}), {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.headline.starts_with(
      "Take \"b\": US$ 10.00 a month more than \"a\", which breaks first at 0.9 × the declared "
      "rates: shop, key PK=X, writes. It costs US$ 20.00"))
      << verdict.headline;
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{10, 0.9}, {20, 0.95}}), {}).reasons[0],
            "No layout carries the declared rates: \"a\" meets its first limit before them.");
}

TEST(LabVerdict, WhatBreaksALimitIsNotTaken) {
  const LabVerdict verdict =
      JudgeLayouts(kFile, FiguresOf({{10, 4}, {20, 5}}), {{0, "a: …", "headroom 4 is below 5"}});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.headline.starts_with(
      "Take \"b\": US$ 10.00 a month more than \"a\", which does not hold 1 limit of the file "
      "(headroom 4 is below 5). It costs"))
      << verdict.headline;
  // Of many, the number is enough.
  EXPECT_TRUE(
      JudgeLayouts(kFile, FiguresOf({{10, 4}, {20, 5}}),
                   {{0, "", "headroom 4 is below 5"}, {0, "", "throttled …"}, {0, "", "failed …"}})
          .reasons[0]
          .starts_with("\"a\" does not hold 3 limits of the file, costs"));
  EXPECT_EQ(JudgeLayouts(kFile, FiguresOf({{10, 4}, {20, 5}}), {{0, "a: …"}, {1, "b: …"}}).layout(),
            0u);
}

TEST(LabVerdict, WhatCannotServeAPatternIsNotTaken) {
  PatternPlan plan;
  plan.impossible = "It is not stored.";
  LabFigures figures = FiguresOf({{10, 9}, {20, 0.5}});
  figures.layouts[0].patterns = {{.name = "p", .plan = &plan}};
  figures.layouts[1].patterns = {{.name = "p"}};
  const LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.reasons[1].starts_with("\"a\" cannot serve \"p\", costs"))
      << verdict.reasons[1];
}

TEST(LabVerdict, AnInterruptedRunHasNoVerdict) {
  LabFigures figures = FiguresOf({{20, 9}, {10, 2}});
  const LayoutRun partial = {.is_partial = true};
  figures.layouts[1].run = &partial;
  const LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), std::nullopt);
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
  LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_EQ(
      verdict.reasons,
      std::vector<std::string>{
          "\"a\" costs US$ 10.00 a month without \"look\", whose cost is not known and breaks "
          "first at 9 × the declared rates: shop, key PK=X, writes."});
  figures.layouts.pop_back();
  verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.headline,
            "\"a\" costs US$ 10.00 a month after AWS's free tier, without \"look\", whose cost is "
            "not known, serves every "
            "pattern, and breaks first at 9 × the declared rates: shop, key PK=X, writes.");
}

TEST(LabVerdict, AFirstLimitThatNoTrialConfirmsIsDoubted) {
  LabFigures figures = FiguresOf({{10, 9}, {20, 9.5}});
  LayoutRun run = {.trials = {{.multiple = 8, .throttled = 0.004}}};
  for (LabLayoutFigures& layout : figures.layouts) {
    layout.run = &run;
    layout.first_limit->not_confirmed_because = "above it, nothing broke";
  }
  LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_TRUE(verdict.headline.ends_with(
      "first at 9 × the declared rates (computed): shop, key PK=X, writes. No trials confirm this "
      "limit: above it, nothing broke."))
      << verdict.headline;
  EXPECT_TRUE(verdict.reasons[0].ends_with(
      "breaks first at 9.5 × the declared rates (computed): shop, key PK=X, writes."))
      << verdict.reasons[0];
  run.trials.clear();
  verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_TRUE(verdict.headline.ends_with(
      ", writes. This limit is computed, and was not tried: above it, nothing broke."))
      << verdict.headline;
  figures.layouts[0].first_limit->not_confirmed_because = "";
  verdict = JudgeLayouts(kFile, figures, {});
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
  LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.headline,
            "\"a\" costs US$ 10.00 a month after AWS's free tier, serves every pattern, and breaks "
            "first at 270 × the declared rates once its tables are warm: shop, key PK=X, writes.");
  EXPECT_EQ(verdict.reasons,
            std::vector<std::string>{
                "In the traffic of the file, at up to 60 × the declared rates, \"a\" throttled "
                "2.63 % of the requests, mostly of \"start a trip\", at cars: its tables were new "
                "then, and serve less than warm ones."});
  layout.greatest_factor = 300;
  EXPECT_TRUE(JudgeLayouts(kFile, figures, {}).reasons.empty());
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
  LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.reasons.back().starts_with("\"a\" fails every call of \"look\", costs "))
      << verdict.reasons.back();
  figures.layouts.pop_back();
  verdict = JudgeLayouts(kFile, figures, {});
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
  EXPECT_TRUE(JudgeLayouts(kFile, figures, {})
                  .reasons[0]
                  .starts_with("\"a\" loses 40 of 400 items, as others have the same keys, costs "
                               "US$ 10.00 a month"));
  figures.layouts[0].wrong = {.least = 0.02, .most = 0.03, .is_known = true};
  LabVerdict verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(verdict.layout(), 1u);
  EXPECT_TRUE(verdict.reasons[0].starts_with(
      "\"a\" answers 2 % to 3 % of its calls wrong, as 40 of 400 items share a key with another, "
      "costs US$ 10.00 a month"))
      << verdict.reasons[0];
  PatternPlan impossible;
  impossible.impossible = "it is not stored";
  figures.layouts[1].patterns = {{.name = "look", .plan = &impossible}};
  PatternPlan served;
  figures.layouts[0].patterns = {{.name = "look", .plan = &served, .month_usd = 10}};
  EXPECT_EQ(JudgeLayouts(kFile, figures, {}).layout(), 0u);
  figures.layouts.pop_back();
  verdict = JudgeLayouts(kFile, figures, {});
  EXPECT_EQ(
      verdict.headline,
      "\"a\" costs US$ 10.00 a month after AWS's free tier, serves every pattern, but answers "
      "2 % to 3 % of its calls wrong, as 40 of 400 items share a key with another, and "
      "breaks first at 9 × the declared rates: shop, key PK=X, writes.");
}

TEST(LabVerdict, NoLayoutHasNoVerdict) {
  const LabVerdict verdict = JudgeLayouts(kFile, {}, {});
  EXPECT_EQ(verdict.layout(), std::nullopt);
  EXPECT_EQ(verdict.headline, "No layout was run.");
}

}  // namespace
}  // namespace hashrange
