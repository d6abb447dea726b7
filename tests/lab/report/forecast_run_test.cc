// A forecast, held against a run of the same file.
#include <gtest/gtest.h>

#include "lab/forecast/layout_forecast.h"
#include "lab/forecast/score_lab.h"
#include "lab/language/lab_reader.h"
#include "lab/report/lab_figures.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

// Holds the forecast of the file against its run: all figures may differ by the tolerance.
void ExpectAgreement(const char* yaml, double tolerance) {
  const auto file = ReadLabFile(yaml, "test.yaml");
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
    EXPECT_NEAR(*expected.month_usd / run.month->usd, 1, tolerance) << run.name;
    EXPECT_NEAR(expected.first_limit->multiple_of_declared / run.first_limit->multiple, 1,
                tolerance)
        << run.name;
    EXPECT_EQ(expected.first_limit->what, run.first_limit->row.what);
    EXPECT_EQ(expected.first_limit->index, run.first_limit->row.index);
    EXPECT_EQ(expected.first_limit->direction, run.first_limit->row.direction);
  }
}

TEST(LayoutForecast, AgreesWithTheRunOfTheFile) { ExpectAgreement(kScoreLab, 0.01); }

// An order that is shipped leaves the key of the pending ones, which get what is placed, too: 1,000
// units of 300 a second. In the hottest minute of the run there are a little more by chance.
TEST(LayoutForecast, AgreesWithTheRunWhereAStatusMoves) {
  ExpectAgreement(R"(
lab: 1
entities:
  Order: {count: 20000, attributes: {order_id: {ulid: at}, at: {time: {past: 30d}}, status: {choice: {PENDING: 50, SHIPPED: 50}}}}
access_patterns:
  place: {create: Order, set: {status: PENDING}, rate: 150/s}
  ship: {update: Order, by: [order_id], set: {status: SHIPPED}, if: {status: PENDING}, rate: 150/s, pick: {where: {status: PENDING}}}
layouts:
  by status:
    tables:
      app:
        key: [PK]
        indexes: {GSI1: {key: [GSI1PK, PK], projection: keys_only}}
        items: {Order: {PK: "O#{order_id}", GSI1PK: "STATUS#{status}"}}
  pending only:
    like: by status
    tables: {app: {items: {Order: {GSI1PK: {template: PENDING, when: {status: PENDING}}}}}}
traffic: [{for: 1m, rate: 1}]
)",
                  0.02);
}

}  // namespace
}  // namespace hashrange
