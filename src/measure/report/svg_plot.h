// The plots of an HTML page: plain values that are written as inline SVG. A plot is as wide as its
// place on the page. It has a legend where there is more than one series. Series are told apart by
// colour and hatching; values stand beside the bars. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "measure/report/html_writer.h"

namespace hashrange {

// The number of series that have a colour and a hatching of their own. Further ones begin again.
inline constexpr std::size_t kSeriesColours = 6;

struct PlotTick {
  double at = 0;  // a share of the axis
  std::string label = {};
};

struct PlotBar {
  std::string label = {};  // on a line above the bar; empty: the bar belongs to the one before
  std::vector<double> values = {};  // one for each series, stacked
  std::string value_text = {};      // behind the bar
};

// Horizontal bars, one below the other, each divided by series.
struct BarPlot {
  std::vector<std::string> series = {};
  std::vector<PlotBar> bars = {};
  // Whether a single bar that is more than eight times as long as the next is drawn shorter, with a
  // gap near its end: beside it, the others would all look the same. Not for parts of a whole.
  bool cuts_outlier = false;
};

// Vertical columns side by side, each divided by series: over time, or as a histogram.
struct ColumnPlot {
  std::vector<std::string> series = {};
  std::vector<std::vector<double>> columns = {};  // one value for each series
  std::vector<PlotTick> ticks = {};
  std::vector<PlotTick> limits = {};  // lines across the plot that columns should stay below
};

// Lines over the same columns, of time or of another quantity.
struct LinePlot {
  std::vector<std::string> series = {};
  std::vector<std::vector<double>> lines = {};  // one for each series, all of one length
  std::vector<PlotTick> ticks = {};
  bool is_log = false;  // the vertical axis; values of 0 are at its lower end
};

struct PlotDot {
  std::string label = {};
  double least = 0;  // the whisker goes from here to `value`
  double value = 0;
  std::string value_text = {};
};

// Values on a logarithmic axis, one below the other, with a limit. Dots that are above it differ.
struct DotPlot {
  std::vector<PlotDot> dots = {};
  double limit = 0;
  std::string limit_label = {};
};

inline constexpr std::size_t kNoPlotRow = static_cast<std::size_t>(-1);

struct HeatRow {
  std::string label = {};
  std::vector<double> values = {};  // of each column
  // Of a bar, which is there for a part of the time.
  double begin = 0;  // shares of the axis
  double end = 1;
  std::vector<bool> marked = {};    // of each column; empty: never
  std::size_t parent = kNoPlotRow;  // the number of the row that this one was cut from
};

struct HeatLevel {
  double most = 0;  // the greatest value with this strength of the colour
  std::string label = {};
};

// Rows over time, the stronger in colour the greater their values are: one grid without gaps, or
// bars that are apart, with marks at their lower edge and lines from a bar to those that it was cut
// into.
struct HeatPlot {
  std::size_t columns = 0;
  std::vector<HeatRow> rows = {};
  std::vector<PlotTick> ticks = {};
  std::vector<HeatLevel> levels = {};  // eight, ascending; empty: round numbers up to the greatest
  std::string unit = {};               // in the legend
  bool is_write = false;               // which of the two colours
  bool has_bars = false;
  std::string mark_text = {};  // of bars, in the legend
};

// The profile of one quantity over many places, as a filled line, with the height that it would
// have everywhere if it were even.
struct ProfilePlot {
  std::vector<double> values = {};
  std::vector<PlotTick> ticks = {};
  bool is_write = false;
};

struct PlotPoint {
  std::string label = {};
  double x = 0;  // infinite: at the right edge
  double y = 0;
  bool is_hollow = false;
  bool is_ringed = false;
};

// Named points over two quantities, some of them joined. An axis begins near its least value, and
// is logarithmic where the greatest is more than 20 times as large.
struct PointPlot {
  std::string x_name = {};
  std::string y_name = {};
  std::string edge_name = {};  // of the edge at which infinite values are
  std::vector<PlotPoint> points = {};
  std::vector<std::size_t> joined = {};  // numbers of points, in the order of the line
};

// Shares of rows in columns: each a bar with its percentage.
struct ShareRow {
  std::string label = {};
  std::vector<double> shares = {};  // one for each column; below 0: does not apply
};
struct SharePlot {
  std::vector<std::string> columns = {};
  std::vector<ShareRow> rows = {};
};

using ReportPlot = std::variant<std::monostate, BarPlot, ColumnPlot, LinePlot, DotPlot, HeatPlot,
                                ProfilePlot, PointPlot, SharePlot>;

// What a plot says to somebody who does not see it.
struct PlotText {
  std::string title = {};
  std::string description = {};
};

// Writes the legend of the plot and its SVG; of no plot, nothing.
void WritePlot(const ReportPlot& plot, const PlotText& text, HtmlWriter& html);

// The axis of a plot: where a value stands on it, and round numbers for its ticks. Figures above
// 1e300, infinite ones too, stand at 1e300.
struct PlotAxis {
  double least = 0;
  double greatest = 1;
  bool is_log = false;
  std::vector<double> ticks = {};

  // Returns the place of a value, from 0 (least) to 1 (greatest). Values beyond an end are at it.
  double ShareOf(double value) const;
};

// Returns an axis from 0 to at least `greatest`, whose ticks are 1, 2 or 5 times a power of ten
// apart. There are at most `most_ticks` besides that at 0.
PlotAxis LinearAxis(double greatest, std::size_t most_ticks);

// Returns an axis that holds both values and begins near the least, whose ticks are 1, 2 or 5 times
// a power of ten apart. There are at most `most_ticks` besides the first two.
// Precondition: both are finite, and at least 0.
PlotAxis SpanAxis(double least, double greatest, std::size_t most_ticks);

// Returns a logarithmic axis of whole powers of ten that holds both values, each with a tick.
// Precondition: both are above 0.
PlotAxis LogAxis(double least, double greatest);

// Returns `count` bounds, 1, 2 or 5 times a power of ten and ascending; the last is at least
// `greatest`.
std::vector<double> ClassBounds(double greatest, std::size_t count);

}  // namespace hashrange
