// Curves, held against figures that were worked out by hand.
#include "lab/forecast/forecast_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "lab/forecast/score_lab.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

ForecastCurve CurveOf(std::string_view yaml, std::string_view range,
                      const std::vector<std::string>& layouts = {}) {
  const auto document = ReadLabDocument(yaml, "test.yaml");
  const auto read = ReadVariedRange(range);
  EXPECT_TRUE(document.ok() && read.ok());
  auto curve = DrawForecastCurve(*document, "test.yaml", *read, layouts);
  if (!curve.ok()) {
    ADD_FAILURE() << curve.error().message;
    return {};
  }
  return std::move(*curve);
}

std::string PointsText(const ForecastCurve& curve) {
  std::string text;
  for (const CurvePoint& point : curve.points) {
    text += (text.empty() ? "" : " ") + point.text + (point.is_declared ? "*" : "");
  }
  return text;
}

// "shards is cheaper than one key", "one key below 3"; a line each.
std::string CrossingsText(const ForecastCurve& curve) {
  std::string text;
  for (const CurveCrossing& one : curve.crossings) {
    text += one.layout;
    if (one.kind == CurveCrossing::Kind::kCheapest) {
      text += " is cheaper than " + one.cheapest_before + "\n";
    } else {
      text += (one.is_below ? " below " : " at least ") + NumberText(one.headroom) + "\n";
    }
  }
  return text;
}

// The one key takes 1,000 of the writes that are submitted.
TEST(ForecastCurve, HeadroomFallsAsTheRateOfWritesRises) {
  const ForecastCurve curve = CurveOf(kScoreLab, "rates.submit=10/s..2000/s");
  EXPECT_EQ(PointsText(curve), "10/s 19.4/s 20/s* 37.6/s 72.9/s 141/s 274/s 532/s 1030/s 2000/s");
  EXPECT_TRUE(curve.is_logarithmic);
  EXPECT_EQ(curve.layouts, (std::vector<std::string>{"one key", "ten shards"}));
  EXPECT_EQ(CrossingsText(curve), "one key below 3\none key below 1\n");
  ASSERT_EQ(curve.crossings.size(), 2u);
  EXPECT_NEAR(curve.crossings[0].number, 1000.0 / 3, 1000.0 / 3 * 0.011);
  EXPECT_NEAR(curve.crossings[1].number, 1000, 11);
  EXPECT_EQ(curve.crossings[0].limit.key, "BOARD=ALL");
  for (const CurvePoint& point : curve.points) {
    const double reads = 4500.0 / 50;
    EXPECT_NEAR(point.layouts[0].first_limit->multiple_of_declared,
                std::min(reads, 1000 / point.number), 0.1)
        << point.text;
  }
  EXPECT_TRUE(curve.not_compared.empty());
}

// Of n shards, each gets a part of the writes: 50 n ×. Each list reads half a unit of each of them:
// 90 × of a shard, and 800 / n of the index.
TEST(ForecastCurve, ShardsAreVariedInTheTemplatesOfALayout) {
  const ForecastCurve curve = CurveOf(kScoreLab, "layouts.ten shards.shards=1..40", {"ten shards"});
  EXPECT_EQ(PointsText(curve), "1 2 3 4 6 10* 16 25 40");
  for (const CurvePoint& point : curve.points) {
    ASSERT_TRUE(point.refused.empty()) << point.refused;
    EXPECT_NEAR(point.layouts.front().first_limit->multiple_of_declared,
                std::min({90.0, 50 * point.number, 800 / point.number}), 0.05)
        << point.text;
  }
}

constexpr const char* kTeams = R"(
lab: 1
entities:
  Player: {count: 1000, attributes: {player_id: {sequence: 6}, team: {choice: [a, b, c, d, e, f, g, h]}, note: {text: 100}}}
access_patterns:
  join: {create: Player, rate: 10/s}
  team: {query: Player, by: [team], rate: 1/min}
  player: {get: Player, by: [player_id], rate: 200/s}
layouts:
  no index: {tables: {app: {key: [PK], items: {Player: {PK: "P#{player_id}"}}}}}
  by team:
    like: no index
    tables: {app: {indexes: {ByTeam: {key: [TEAM, PK]}}, items: {Player: {TEAM: "{team}"}}}}
  elsewhere:
    like: no index
    serve: {player: [{Scan: {TableName: app}}]}
traffic: [{for: 1m, rate: 1}]
)";

// What is drawn until then is not told: where things change is not known.
TEST(ForecastCurve, EndsWhenItIsStopped) {
  const std::atomic<bool> stop = true;
  const auto document = ReadLabDocument(kScoreLab, "test.yaml");
  const auto range = ReadVariedRange("rates.submit=10/s..2000/s");
  ASSERT_TRUE(document.ok() && range.ok());
  const auto curve = DrawForecastCurve(*document, "test.yaml", *range, {}, &stop);
  ASSERT_FALSE(curve.ok());
  EXPECT_EQ(curve.error().message, "interrupted before anything was done");
}

// Both months are straight lines over the rate of the reads, so where they cross is known.
TEST(ForecastCurve, AnIndexPaysFromSomeRateOn) {
  const ForecastCurve curve = CurveOf(kTeams, "rates.team=x0.1..x6000");
  EXPECT_EQ(curve.points.front().text, "0.1/min");
  EXPECT_EQ(curve.points.back().text, "6000/min");
  EXPECT_EQ(curve.not_compared, std::vector<std::string>{"elsewhere"});
  ASSERT_GE(curve.crossings.size(), 1u);
  const CurveCrossing& crossing = curve.crossings.front();
  EXPECT_EQ(crossing.kind, CurveCrossing::Kind::kCheapest);
  EXPECT_EQ(crossing.layout, "by team");
  EXPECT_EQ(crossing.cheapest_before, "no index");
  const auto month = [&](const CurvePoint& point, std::size_t layout) {
    return *point.layouts[layout].month_usd;
  };
  const CurvePoint& first = curve.points.front();
  const CurvePoint& last = curve.points.back();
  const double before = month(first, 1) - month(first, 0);
  const double after = month(last, 0) - month(last, 1);
  ASSERT_GT(before, 0);
  ASSERT_GT(after, 0);
  const double crossed = first.number + (last.number - first.number) * before / (before + after);
  EXPECT_NEAR(crossing.number, crossed, crossed * 0.011);
}

TEST(ForecastCurve, TellsWhatTheFileRefuses) {
  const ForecastCurve curve = CurveOf(kScoreLab, "rates.submit=0..100000000");
  ASSERT_EQ(curve.points.size(), 10u);
  EXPECT_FALSE(curve.is_logarithmic);
  EXPECT_FALSE(curve.points.front().refused.empty());
  EXPECT_TRUE(curve.points.front().layouts.empty());
  EXPECT_TRUE(curve.points[1].refused.empty());
  EXPECT_TRUE(curve.points[1].is_declared);
  EXPECT_FALSE(curve.points.back().refused.empty());
}

// Away from the declared number, whole numbers stay whole, and none is there twice.
TEST(ForecastCurve, PointsAreEvenlyApartOrMultiplesOfOneAnother) {
  EXPECT_EQ(PointsText(CurveOf(kScoreLab, "counts.Score=1000..9000")),
            "1000 2000* 3000 4000 5000 6000 7000 8000 9000");
  EXPECT_EQ(PointsText(CurveOf(kScoreLab, "layouts.ten shards.shards=2..4")), "2 3 4");
  EXPECT_EQ(PointsText(CurveOf(kScoreLab, "rates.submit=x0.5..x2")),
            "10/s 13.8/s 17.5/s 20/s* 21.3/s 25/s 28.8/s 32.5/s 36.3/s 40/s");
}

}  // namespace
}  // namespace hashrange
