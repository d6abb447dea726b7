// A forecast, held against a run of the same file.
#include <gtest/gtest.h>

#include "lab/forecast/layout_forecast.h"
#include "lab/language/lab_reader.h"
#include "lab/report/lab_figures.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

constexpr const char* kBoard = R"(
lab: 1
entities:
  Score: {count: 2000, attributes: {player_id: {sequence: 6}, score: {number: [0, 9999]}, note: {text: 1200}}}
access_patterns:
  submit: {create: Score, rate: 20/s}
  top ten: {query: Score, order: -score, limit: 10, rate: 60/s}
  score: {get: Score, by: [player_id], rate: 100/s, pick: zipf}
layouts:
  one key:
    tables:
      scores:
        key: [PK]
        indexes: {ByScore: {key: [BOARD, RANK], projection: all}}
        items: {Score: {PK: "{player_id}", BOARD: ALL, RANK: "{score:04}"}}
  shards:
    like: one key
    tables: {scores: {items: {Score: {BOARD: "S#{shard(player_id, 10)}"}}}}
traffic: [{for: 30s, rate: 1}]
)";

TEST(LayoutForecast, AgreesWithTheRunOfTheFile) {
  const auto file = ReadLabFile(kBoard, "test.yaml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto forecasts = ForecastLayouts(*file);
  ASSERT_TRUE(forecasts.ok());
  LabRunOptions options;
  options.confirms_first_limit = false;
  const auto result = RunLab(*file, options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const LabFigures figures = MakeLabFigures(*file, *result);
  ASSERT_EQ(figures.layouts.size(), forecasts->size());
  for (std::size_t i = 0; i < forecasts->size(); ++i) {
    const LayoutForecast& expected = (*forecasts)[i];
    const LabLayoutFigures& run = figures.layouts[i];
    EXPECT_NEAR(*expected.month_usd / run.month->usd, 1, 0.01) << run.name;
    EXPECT_NEAR(expected.first_limit->multiple_of_declared / run.first_limit->multiple, 1, 0.01)
        << run.name;
    EXPECT_EQ(expected.first_limit->what, run.first_limit->row.what);
    EXPECT_EQ(expected.first_limit->index, run.first_limit->row.index);
    EXPECT_EQ(expected.first_limit->direction, run.first_limit->row.direction);
  }
}

}  // namespace
}  // namespace hashrange
