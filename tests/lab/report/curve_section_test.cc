// What reports say of curves, which are made up here.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/memory/output_buffer.h"
#include "lab/report/lab_example.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sections.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

LayoutForecast Forecast(const std::string& layout, double month_usd, double multiple) {
  return {.layout = layout,
          .month_usd = month_usd,
          .first_limit = LimitRow{.table = "scores",
                                  .index = "ByScore",
                                  .what = "key",
                                  .key = "BOARD=ALL",
                                  .direction = "write",
                                  .limit = 1000,
                                  .multiple_of_declared = multiple}};
}

ForecastCurve ScoreCurve() {
  ForecastCurve curve{.path = "rates.submit",
                      .declared = {.number = 20, .unit = "/s", .is_whole = true},
                      .is_logarithmic = true,
                      .layouts = {"one key", "shards", "partly"}};
  LayoutForecast partly{.layout = "partly", .month_usd = 1, .impossible = {"top ten"}};
  curve.points = {
      {.number = 0, .text = "0/s", .refused = "test.yaml:6:40: no rate"},
      {.number = 20,
       .text = "20/s",
       .is_declared = true,
       .layouts = {Forecast("one key", 70, 50), Forecast("shards", 90, 80), partly},
       .cheapest = 0},
      {.number = 400,
       .text = "400/s",
       .layouts = {Forecast("one key", 1500.5, 2.5), Forecast("shards", 1400, 40), partly},
       .cheapest = 1}};
  curve.crossings = {
      {.number = 240, .text = "240/s", .layout = "shards", .cheapest_before = "one key"},
      {.kind = CurveCrossing::Kind::kHeadroom,
       .number = 333.3,
       .text = "333/s",
       .layout = "one key",
       .headroom = 3,
       .is_below = true,
       .limit = *Forecast("one key", 0, 3).first_limit}};
  curve.not_compared = {"partly"};
  return curve;
}

TEST(CurveSection, ATerminalHasATableAndSentences) {
  EXPECT_EQ(CurvesText({ScoreCurve()}, {}), R"(US$ a month and headroom, by rates.submit
                 one key US$  headroom  shards US$  headroom  partly US$  headroom
0/s                        -         -           -         -           -         -
20/s (declared)        70.00      50 ×       90.00      80 ×    1.00 + ?         -
400/s               1,500.50     2.5 ×    1,400.00      40 ×    1.00 + ?         -

- From 240/s on, "shards" is the cheapest; below, "one key" is.
- From 333/s on, the headroom of "one key" is below 3: scores / ByScore, key BOARD=ALL, writes.
- "partly" is not compared: its month lacks "top ten".
- With 0/s, the file is refused: test.yaml:6:40: no rate.
Expected from the declarations, with no run: a run confirms the declared number only. The headroom
is the multiple of the rates at which the first limit is met, once tables are warm.
)");
}

TEST(CurveSection, NoCrossingMeansThatOneIsAlwaysTheCheapest) {
  ForecastCurve curve = ScoreCurve();
  curve.crossings = {{.kind = CurveCrossing::Kind::kHeadroom,
                      .text = "30/s",
                      .layout = "shards",
                      .headroom = 1,
                      .limit = *Forecast("shards", 0, 3).first_limit}};
  curve.points.erase(curve.points.begin());
  curve.points.back().cheapest = 0;
  const std::string text = CurvesText({curve}, {});
  EXPECT_NE(text.find("- \"one key\" is the cheapest at all of these.\n"
                      "- From 30/s on, the headroom of \"shards\" is at least 1; below, it is not: "
                      "scores / ByScore, key\n  BOARD=ALL, writes.\n"),
            std::string::npos)
      << text;
}

TEST(CurveSection, JsonHasEveryFigure) {
  ForecastCurve curve = ScoreCurve();
  curve.points.pop_back();
  curve.points.back().layouts.erase(curve.points.back().layouts.begin() + 1);
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  WriteCurvesMember({}, writer);
  WriteCurvesMember({curve}, writer);
  writer.EndObject();
  EXPECT_EQ(
      out.view(),
      R"({"curves":[{"path":"rates.submit","declared":"20/s","points":[)"
      R"({"number":0.0,"text":"0/s","is_declared":false,"refused":"test.yaml:6:40: no rate",)"
      R"("layouts":[]},)"
      R"({"number":20.0,"text":"20/s","is_declared":true,"layouts":[)"
      R"({"name":"one key","month_usd":70.0,"first_limit":{"multiple_of_declared":50.0,"what":"key",)"
      R"("table":"scores","index":"ByScore","key":"BOARD=ALL","direction":"write",)"
      R"("limit_units_per_second":1000.0},"impossible":[],"unknown":[]},)"
      R"({"name":"partly","month_usd":1.0,"first_limit":null,"impossible":["top ten"],"unknown":[]}]}],)"
      R"("crossings":[{"what":"cheapest","from":240.0,"layout":"shards","cheapest_before":"one key",)"
      R"("sentence":"From 240/s on, \"shards\" is the cheapest; below, \"one key\" is."},)"
      R"({"what":"headroom","from":333.3,"layout":"one key","headroom":3.0,"is_below":true,)"
      R"("sentence":"From 333/s on, the headroom of \"one key\" is below 3: scores / ByScore, )"
      R"(key BOARD=ALL, writes."}],"not_compared":["partly"]}]})");
}

// The points that the file cannot have are left out of the picture.
TEST(CurveSection, APageHasALineForEachLayoutThatIsKnownEverywhere) {
  LabResult result = ShopLabResult();
  const std::string without = LabHtmlReport(ShopLab(), result);
  EXPECT_EQ(without.find("rates.submit"), std::string::npos);
  result.curves = {ScoreCurve()};
  const std::string page = LabHtmlReport(ShopLab(), result);
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = page.find(text); at != page.npos; at = page.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("US$ a month, by rates.submit</"), 2u);  // the caption and the plot's title
  EXPECT_EQ(count(">20/s *<"), 2u);                        // of both plots
  EXPECT_EQ(count(">0/s<"), 1u);                           // in the table
}

}  // namespace
}  // namespace hashrange
