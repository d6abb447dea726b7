// What searches and writes of vectors are expected to take is held against what calls take of a
// database, and the month of a run against the expected one.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "lab/forecast/layout_forecast.h"
#include "lab/run/lab_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

constexpr const char* kSearchShop = R"(
lab: 1
entities:
  Shop: {count: 10, attributes: {shop_id: {sequence: 3}, name: {text: 12}}}
  Product:
    of: Shop
    count: 60
    attributes:
      product_id: {ulid: created_at}
      created_at: {time: {past: 365d}}
      category: {choice: {tents: 60, bags: 30, stoves: 9, rare: 1}}
      brand: {choice: {acme: 1, other: 3}}
      title: {text: [20, 40]}
      text: {text: [200, 600]}
      embedding: {vector: 64}
access_patterns:
  in a category: {search: Product, by: [category], limit: 10, returns: [product_id, title], rate: 40/s}
  of a brand: {search: Product, by: [category, {brand: acme}], limit: 5, returns: [title, embedding], rate: 40/s}
  in tents: {search: Product, by: [{category: tents}], limit: 3, returns: [text], rate: 10/s}
  product: {get: Product, by: [shop_id, product_id], rate: 10/s}
  products of a shop: {query: Product, by: [shop_id], limit: 20, rate: 10/s}
  add: {create: Product, rate: 5/s}
  embed again: {update: Product, by: [shop_id, product_id], set: {embedding: {vector: 64}}, rate: 10/s}
  rename: {update: Product, by: [shop_id, product_id], set: {title: {text: 30}}, rate: 10/s}
  recategorise: {update: Product, by: [shop_id, product_id], set: {category: {choice: {tents: 60, bags: 30, stoves: 9, rare: 1}}}, rate: 20/s}
  drop: {delete: Product, by: [shop_id, product_id], rate: 5/s}
layouts:
  by category:
    tables:
      shop:
        key: [PK, SK]
        indexes: {ByBrand: {key: [brand, SK], projection: all}}
        vector_indexes: {byMeaning: {attribute: embedding, hash: category, filters: [brand], projection: [title]}}
        items: {Shop: {PK: "SHOP#{shop_id}", SK: SHOP}, Product: {PK: "SHOP#{shop_id}", SK: "PRODUCT#{product_id}"}}
  without a hash:
    like: by category
    tables: {shop: {vector_indexes: {byMeaning: {hash: null, filters: [category, brand], projection: all}}}}
  without an index: {like: by category, tables: {shop: {vector_indexes: null}}}
traffic: [{for: 30s, rate: 1}]
)";

void ExpectNear(double expected, double measured, double deviation, const std::string& what) {
  EXPECT_NEAR(expected, measured, measured * deviation) << what;
}

// What the runner reads out of answers is what the meter has, and what is stored is as expected.
void ExpectFiguresOfMeter(const LayoutRun& run) {
  double searched = 0;
  double written = 0;
  for (const PatternRun& pattern : run.patterns) {
    searched += pattern.searched_bytes;
    written += pattern.vector_write_bytes;
  }
  double metered_searched = 0;
  double metered_written = 0;
  for (const PatternMeasure& pattern : run.measurement.patterns) {
    metered_searched += pattern.vector_bytes_searched;
    metered_written += pattern.vector_bytes_written;
  }
  EXPECT_DOUBLE_EQ(searched, metered_searched);
  EXPECT_DOUBLE_EQ(written, metered_written);
  EXPECT_EQ(searched > 0, run.layout != "without an index");
  const TableMeasure& table = run.measurement.tables.front();
  const GrowthStage& now = run.growth.stages.front();
  // The traffic creates as many as it deletes.
  constexpr double kDeviation = 0.05;
  ExpectNear(now.vector_bytes.front(), static_cast<double>(table.vector_index_bytes), kDeviation,
             "stored vectors");
}

TEST(ExpectedSearches, AreWhatCallsTake) {
  const LabFile file = FileOf(kSearchShop);
  const auto result = RunLab(file, {.confirms_first_limit = false});
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (const LayoutRun& run : result->runs) {
    for (std::size_t i = 0; i < file.patterns.size(); ++i) {
      SCOPED_TRACE(run.layout + ": " + file.patterns[i].name);
      const PatternRun& pattern = run.patterns[i];
      const PatternPlan& plan = run.plan.patterns[i];
      const bool is_search = file.patterns[i].kind == LabPattern::Kind::kSearch;
      if (run.layout == "without an index" && is_search) {
        EXPECT_EQ(plan.impossible, "no vector index has embedding of Product");
        EXPECT_EQ(pattern.calls, 0U);
        continue;
      }
      ASSERT_GT(pattern.calls, 100U);
      ASSERT_EQ(pattern.throttled + pattern.failed + pattern.conditions, 0U) << pattern.error;
      const auto calls = static_cast<double>(pattern.calls);
      // Whether a new category is another one is drawn.
      const double of_writes = pattern.name == "recategorise" ? 0.1 : 0.05;
      EXPECT_EQ(plan.service == PlanService::kSearched, is_search);
      ExpectNear(plan.cost.SearchedBytes(), pattern.searched_bytes / calls, 0.01, "searched");
      ExpectNear(plan.cost.VectorWriteBytes(), pattern.vector_write_bytes / calls, of_writes,
                 "written");
      ExpectNear(plan.cost.ReadUnits(), pattern.read_units.mean(), 0.02, "read");
      ExpectNear(plan.cost.WriteUnits(), pattern.write_units.mean(), of_writes, "write");
      ExpectNear(plan.cost.requests, static_cast<double>(pattern.requests) / calls, 0.01,
                 "requests");
    }
    ExpectFiguresOfMeter(run);
  }
}

TEST(ExpectedSearches, AreInTheExpectedMonth) {
  LabFile file = FileOf(kSearchShop);
  const auto forecasts = ForecastLayouts(file);
  ASSERT_TRUE(forecasts.ok()) << forecasts.error().message;
  ASSERT_EQ(forecasts->size(), 3U);
  EXPECT_EQ((*forecasts)[2].impossible,
            (std::vector<std::string>{"in a category", "of a brand", "in tents"}));
  EXPECT_TRUE((*forecasts)[0].impossible.empty() && (*forecasts)[0].unknown.empty());
  // Of twice as many searches, a month costs more by what they take.
  const double before = *(*forecasts)[0].month_usd;
  LabPattern& search = file.patterns.front();
  const PatternCost cost = PlanOf(file).patterns.front().cost;
  search.calls_per_second *= 2;
  const auto more = ForecastLayouts(file);
  ASSERT_TRUE(more.ok());
  constexpr double kSecondsPerMonth = 730 * 3600.0;
  const double gigabytes = 40 * kSecondsPerMonth * cost.SearchedBytes() / (1024.0 * 1024 * 1024);
  EXPECT_NEAR(*(*more)[0].month_usd - before, gigabytes * 0.002, gigabytes * 0.00002);
}

}  // namespace
}  // namespace hashrange
