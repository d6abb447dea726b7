#include "measure/report/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/html_tags.h"

namespace hashrange {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointwise;

// Returns an attribute of all elements of a class.
std::vector<std::string> AttributesOf(const std::string& html, const std::string& css_class,
                                      const std::string& attribute) {
  std::vector<std::string> values;
  for (const HtmlTag& tag : TagsOf(html)) {
    const auto found = tag.attributes.find("class");
    if (found == tag.attributes.end() || found->second != css_class) continue;
    if (tag.attributes.contains(attribute)) values.push_back(tag.attributes.at(attribute));
  }
  return values;
}

std::string PageOf(const ReportPlot& plot) {
  HtmlWriter html;
  WritePlot(plot, {}, html);
  return html.Take();
}

TEST(SvgPlot, BarsAreAsLongAsTheirValuesAndStacked) {
  const std::string page = PageOf(
      BarPlot{.series = {"table", "index"}, .bars = {{"a", {1, 3}, "4"}, {"b", {2, 0}, "2"}}});
  EXPECT_THAT(AttributesOf(page, "s0", "width"), ElementsAre("14", "20%", "40%"));  // the legend's
  EXPECT_THAT(AttributesOf(page, "s1", "x"), ElementsAre("20%"));
  EXPECT_THAT(AttributesOf(page, "s1", "width"), ElementsAre("14", "60%"));
}

TEST(SvgPlot, OneBarFarAboveTheOthersIsCutIfThatIsAskedFor) {
  BarPlot plot{.bars = {{"a", {1000}, "1,000"}, {"b", {10}, "10"}, {"c", {5}, "5"}}};
  const std::string whole_page = PageOf(plot);
  EXPECT_THAT(AttributesOf(whole_page, "cut", "x"), IsEmpty());
  EXPECT_THAT(AttributesOf(whole_page, "s0", "width"), ElementsAre("80%", "0.8%", "0.4%"));
  plot.cuts_outlier = true;
  const std::string cut_page = PageOf(plot);
  EXPECT_THAT(AttributesOf(cut_page, "cut", "x"), ElementsAre("82%"));
  EXPECT_THAT(AttributesOf(cut_page, "s0", "width"), ElementsAre("86%", "80%", "40%"));
}

TEST(SvgPlot, ColumnsStandBesideEachOther) {
  const std::string page =
      PageOf(ColumnPlot{.columns = {{0}, {5}, {10}, {1}}, .limits = {{0.5, "10 GB"}}});
  EXPECT_THAT(AttributesOf(page, "s0", "x"), ElementsAre("27%", "52%", "77%"));
  EXPECT_THAT(AttributesOf(page, "s0", "height"), ElementsAre("80", "160", "16"));
  EXPECT_THAT(AttributesOf(page, "limit", "x1"), ElementsAre("50%"));
}

TEST(SvgPlot, NeighbouringCellsOfOneStrengthAreOneRectangle) {
  const std::string page = PageOf(
      HeatPlot{.columns = 3, .rows = {{.values = {0, 100, 100}}, {.values = {0.01, 0, 40}}}});
  EXPECT_THAT(AttributesOf(page, "cell read h8", "d"), ElementsAre("M1 0h2v1h-2z"));
  EXPECT_THAT(AttributesOf(page, "cell read h7", "d"), ElementsAre("M2 1h1v1h-1z"));
  EXPECT_THAT(AttributesOf(page, "cell read h1", "d"), ElementsAre("M0 1h1v1h-1z"));
}

TEST(SvgPlot, DotsHaveTheirErrorAsWhiskerAndDifferAboveTheLimit) {
  const std::string page = PageOf(
      DotPlot{.dots = {{"a", 10, 100, "10 to 100"}, {"b", 2000, 2000, "2,000"}}, .limit = 1000});
  EXPECT_THAT(AttributesOf(page, "dot", "cx"), ElementsAre("0%"));
  EXPECT_THAT(AttributesOf(page, "dot above", "cx"), ElementsAre("65.05%"));
  EXPECT_THAT(AttributesOf(page, "limit", "x1"), ElementsAre("50%"));
}

TEST(SvgPlot, LinesGoThroughTheMiddlesOfTheirColumns) {
  const std::string page = PageOf(LinePlot{.series = {"a"}, .lines = {{0, 10, 5}}});
  EXPECT_THAT(AttributesOf(page, "line l0", "d"), ElementsAre("M0 7H26", "M0.5 160L1.5 0L2.5 80"));
}

TEST(SvgPlot, AVerticalAxisOfLinesMayBeLogarithmic) {
  const std::string page =
      PageOf(LinePlot{.series = {"a"}, .lines = {{1, 100, 10, 0}}, .is_log = true});
  EXPECT_THAT(AttributesOf(page, "line l0", "d"),
              ElementsAre("M0 7H26", "M0.5 160L1.5 0L2.5 80L3.5 160"));
}

TEST(SvgPlot, PointsStandWhereTheirValuesAreAndInfiniteOnesAtTheEdge) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::string page = PageOf(PointPlot{.points = {{.label = "a", .x = 10, .y = 300},
                                                       {.label = "b", .x = 1000, .y = 400},
                                                       {"c", infinite, 350, true, true}},
                                            .joined = {0, 1}});
  // The axis of x is logarithmic and ends at 80 % of what is between the margins.
  EXPECT_THAT(AttributesOf(page, "dot full", "cx"), ElementsAre("3%", "78.2%"));
  EXPECT_THAT(AttributesOf(page, "dot full", "cy"), ElementsAre("284", "56"));
  EXPECT_THAT(AttributesOf(page, "dot", "cx"), ElementsAre("97%"));
  EXPECT_THAT(AttributesOf(page, "ring", "cy"), ElementsAre("170"));
  EXPECT_THAT(AttributesOf(page, "joined", "x1"), ElementsAre("3%"));
  EXPECT_THAT(AttributesOf(page, "joined", "x2"), ElementsAre("78.2%"));
}

// "first" cannot stand to the right of its point, where "second" has its own.
TEST(SvgPlot, LabelsOfPointsDoNotCoverEachOther) {
  const std::string page = PageOf(PointPlot{.points = {{.label = "first", .x = 10, .y = 100},
                                                       {.label = "second", .x = 10.2, .y = 100},
                                                       {.label = "third", .x = 20, .y = 200}}});
  std::vector<double> lines;
  for (const std::string css_class : {"label", "label end", "label middle"}) {
    for (const std::string& y : AttributesOf(page, css_class, "y")) lines.push_back(std::stod(y));
  }
  ASSERT_EQ(lines.size(), 3U);
  std::ranges::sort(lines);
  EXPECT_GE(lines[1] - lines[0], 13);
  EXPECT_GE(lines[2] - lines[1], 13);
}

TEST(SvgPlot, SharesFillHalfOfTheirColumn) {
  const std::string page =
      PageOf(SharePlot{.columns = {"GSI1", "GSI2"}, .rows = {{"Order", {1, 0.5}}}});
  EXPECT_THAT(AttributesOf(page, "s0", "width"), ElementsAre("23.5%", "11.75%"));
}

// Row 1 was cut in the middle of the second of four columns; its part is row 0.
TEST(SvgPlot, PartitionsAreAsLongAsTheyLivedAndForksLeadToTheirParts) {
  HeatPlot plot{.columns = 4, .is_write = true, .has_bars = true, .mark_text = "throttled"};
  for (const double most : {0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 1.0, 9.0})
    plot.levels.push_back({most, {}});
  plot.rows = {{.label = "2",
                .values = {0, 0.4, 0.4, 0},
                .begin = 0.375,
                .end = 1,
                .marked = {false, false, false, false},
                .parent = 1},
               {.label = "1",
                .values = {0.95, 1.2, 0, 0},
                .begin = 0,
                .end = 0.375,
                .marked = {true, true, false, false}}};
  const std::string page = PageOf(plot);
  EXPECT_THAT(AttributesOf(page, "ground", "x"), ElementsAre("37.5%", "0%"));
  EXPECT_THAT(AttributesOf(page, "ground", "width"), ElementsAre("22", "62.5%", "37.5%"));
  EXPECT_THAT(AttributesOf(page, "cell write h3", "d"), ElementsAre("M1.5 2h1.5v14h-1.5z"));
  EXPECT_THAT(AttributesOf(page, "cell write h7", "d"), ElementsAre("M0 20h1v14h-1z"));
  EXPECT_THAT(AttributesOf(page, "cell write h8", "d"), ElementsAre("M1 20h0.5v14h-0.5z"));
  EXPECT_THAT(AttributesOf(page, "cell throttled", "d"), ElementsAre("M0 30h1.5v4h-1.5z"));
  EXPECT_THAT(AttributesOf(page, "fork", "d"), ElementsAre("M1.5 27L1.5 9"));
}

TEST(PlotAxis, LinearAxesHaveRoundTicks) {
  EXPECT_THAT(LinearAxis(14, 5).ticks, ElementsAre(0, 5, 10, 15));
  EXPECT_THAT(LinearAxis(640, 5).ticks, ElementsAre(0, 200, 400, 600, 800));
  EXPECT_THAT(LinearAxis(5, 5).ticks, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(LinearAxis(0, 5).greatest, 1);
}

TEST(PlotAxis, LinearAxesHoldTheirGreatestValueAndFewTicks) {
  for (double greatest = 0.001; greatest < 1e9; greatest *= 1.37) {
    const PlotAxis axis = LinearAxis(greatest, 4);
    EXPECT_GE(axis.greatest, greatest * (1 - 1e-12)) << greatest;
    EXPECT_LE(axis.ticks.size(), 5U) << greatest;
    EXPECT_GE(axis.ShareOf(greatest), 0.4) << greatest;
  }
}

TEST(PlotAxis, SpanAxesBeginNearTheirLeastValue) {
  EXPECT_THAT(SpanAxis(381, 465, 5).ticks, ElementsAre(380, 400, 420, 440, 460, 480));
  EXPECT_THAT(SpanAxis(0, 9, 5).ticks, ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_DOUBLE_EQ(SpanAxis(381, 465, 5).ShareOf(430), 0.5);
  // Equal values have an axis, too.
  const PlotAxis axis = SpanAxis(100, 100, 5);
  EXPECT_LT(axis.least, 100);
  EXPECT_GE(axis.greatest, 100);
  EXPECT_EQ(SpanAxis(0, 0, 5).greatest, 1);
}

TEST(PlotAxis, InfiniteFiguresHaveAnAxis) {
  const double infinite = std::numeric_limits<double>::infinity();
  const PlotAxis linear = LinearAxis(infinite, 5);
  EXPECT_LE(linear.ticks.size(), 6U);
  EXPECT_EQ(linear.ShareOf(infinite), 1);
  EXPECT_EQ(LogAxis(1e299, infinite).greatest, LogAxis(1e299, 1e300).greatest);
  EXPECT_EQ(ClassBounds(infinite, 3).size(), 3U);
}

TEST(PlotAxis, LogAxesAreWholePowersOfTen) {
  const PlotAxis axis = LogAxis(3, 1000);
  EXPECT_THAT(axis.ticks, Pointwise(DoubleNear(1e-9), {1, 10, 100, 1000}));
  EXPECT_DOUBLE_EQ(axis.ShareOf(10), 1.0 / 3);
  EXPECT_EQ(axis.ShareOf(0), 0);
  EXPECT_EQ(axis.ShareOf(5000), 1);
  EXPECT_THAT(LogAxis(10, 10).ticks, Pointwise(DoubleNear(1e-9), {10, 100}));
}

TEST(PlotAxis, ClassBoundsEndAboveTheGreatestValue) {
  EXPECT_THAT(ClassBounds(40, 4), Pointwise(DoubleNear(1e-9), {5, 10, 20, 50}));
  EXPECT_THAT(ClassBounds(50, 3), Pointwise(DoubleNear(1e-9), {10, 20, 50}));
  EXPECT_THAT(ClassBounds(0.3, 3), Pointwise(DoubleNear(1e-9), {0.1, 0.2, 0.5}));
}

}  // namespace
}  // namespace hashrange
