// The plots of the HTML report, as inline SVG: bars, columns, lines, dots with whiskers, heat maps,
// partitions and shares. Each writes its SVG, and a legend where there is more than one series.
// Series are told apart by colour and hatching; values stand beside the bars. Pure functions of
// their input.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "measure/report/html_writer.h"
#include "measure/report/plot_axis.h"
#include "measure/report/svg_canvas.h"

namespace hashrange {

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
  PlotText text = {};
  std::vector<std::string> series = {};
  std::vector<PlotBar> bars = {};
  // Whether a single bar that is more than eight times as long as the next is drawn shorter, with a
  // gap near its end: beside it, the others would all look the same. Not for parts of a whole.
  bool cuts_outlier = false;
};
void WriteBarPlot(const BarPlot& plot, HtmlWriter& html);

// A line across the plot that a value should stay below.
struct PlotLimit {
  double at = 0;  // a share of the axis
  std::string label = {};
};

// Vertical columns side by side, each divided by series: over time, or as a histogram.
struct ColumnPlot {
  PlotText text = {};
  std::vector<std::string> series = {};
  std::vector<std::vector<double>> columns = {};  // one value for each series
  std::vector<PlotTick> ticks = {};
  std::vector<PlotLimit> limits = {};
};
void WriteColumnPlot(const ColumnPlot& plot, HtmlWriter& html);

// Lines over the same columns of time.
struct LinePlot {
  PlotText text = {};
  std::vector<std::string> series = {};
  std::vector<std::vector<double>> lines = {};  // one for each series, all of one length
  std::vector<PlotTick> ticks = {};
};
void WriteLinePlot(const LinePlot& plot, HtmlWriter& html);

struct PlotDot {
  std::string label = {};
  double least = 0;  // the whisker goes from here to `value`
  double value = 0;
  std::string value_text = {};
};

// Values on a logarithmic axis, one below the other, with a limit. Dots that are above it differ.
struct DotPlot {
  PlotText text = {};
  std::vector<PlotDot> dots = {};
  double limit = 0;
  std::string limit_label = {};
};
void WriteDotPlot(const DotPlot& plot, HtmlWriter& html);

// A grid of cells that are the darker the greater their values are.
struct HeatPlot {
  PlotText text = {};
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<double> values = {};  // row by row
  std::vector<PlotTick> column_ticks = {};
  std::vector<PlotTick> row_ticks = {};
  std::string unit = {};
  bool is_write = false;  // which of the two colours
};
void WriteHeatPlot(const HeatPlot& plot, HtmlWriter& html);

// The profile of one quantity over many places, as a filled line, with the height that it would
// have everywhere if it were even.
struct ProfilePlot {
  PlotText text = {};
  std::vector<double> values = {};
  std::vector<PlotTick> ticks = {};
  bool is_write = false;
};
void WriteProfilePlot(const ProfilePlot& plot, HtmlWriter& html);

inline constexpr std::size_t kNoPlotRow = static_cast<std::size_t>(-1);

// A partition of a table or an index, over time.
struct PlotPartition {
  std::string label = {};
  double begin = 0;  // shares of the axis
  double end = 1;
  std::vector<double> heat = {};     // of each column; 1: as much as the partition serves
  std::vector<bool> throttled = {};  // of each column
  std::size_t parent = kNoPlotRow;   // the number of the row that this one was cut from
};

// A row for each partition, the stronger in colour the more was asked of it. A bar below the colour
// marks the times at which it throttled, and lines lead from a row to those that it was cut into.
struct PartitionPlot {
  PlotText text = {};
  std::size_t columns = 0;
  std::vector<PlotPartition> partitions = {};
  std::vector<PlotTick> ticks = {};
  std::string throttled_text = {};  // in the legend: "throttled", "would have been throttled"
};
void WritePartitionPlot(const PartitionPlot& plot, HtmlWriter& html);

// Shares of rows in columns: each a bar with its percentage.
struct ShareRow {
  std::string label = {};
  std::vector<double> shares = {};  // one for each column; below 0: does not apply
};
struct SharePlot {
  PlotText text = {};
  std::vector<std::string> columns = {};
  std::vector<ShareRow> rows = {};
};
void WriteSharePlot(const SharePlot& plot, HtmlWriter& html);

// Writes the names of series beside their colours and hatchings.
void WriteSeriesLegend(const std::vector<std::string>& series, HtmlWriter& html);

}  // namespace hashrange
