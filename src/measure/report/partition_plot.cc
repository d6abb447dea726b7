#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr double kTop = 6;
constexpr double kRowHeight = 18;
constexpr double kBarTop = 2;  // of a row
constexpr double kBarHeight = 14;
constexpr double kMarkHeight = 4;  // of the bar that marks throttled times, at the row's bottom

// How hot a partition is at most for a strength of the colour.
struct HeatLevel {
  double most;
  std::string_view label;
};
constexpr std::array<HeatLevel, 8> kHeatLevels = {
    {{0.1, "≤ 10 % of what it serves"},
     {0.25, "≤ 25 %"},
     {0.5, "≤ 50 %"},
     {0.7, "≤ 70 %"},
     {0.8, "≤ 80 %"},
     {0.9, "≤ 90 %"},
     {1, "≤ 100 %"},
     {std::numeric_limits<double>::infinity(), "above"}}};

// The class of the level with this number, from 0.
std::string ClassOfLevel(std::size_t level) { return "cell write h" + std::to_string(level + 1); }

// Returns the number of the level, from 1; 0: nothing.
std::size_t LevelOf(double heat) {
  if (heat <= 0) return 0;
  std::size_t level = 0;
  while (heat > kHeatLevels[level].most) ++level;
  return level + 1;
}

std::string BoxCommands(double left, double right, double top, double height) {
  const std::string width = CoordinateText(right - left);
  return "M" + CoordinateText(left) + " " + CoordinateText(top) + "h" + width + "v" +
         CoordinateText(height) + "h-" + width + "z";
}

double TopOf(std::size_t row) { return static_cast<double>(row) * kRowHeight; }
double MiddleOf(std::size_t row) { return TopOf(row) + kBarTop + kBarHeight / 2; }

// Adds a box for each run of columns for which `strength` is the same and not 0, as far as the
// partition was there.
template <typename Strength, typename Add>
void ForEachRun(const PartitionPlot& plot, const PlotPartition& partition, Strength strength,
                Add add) {
  const auto columns = static_cast<double>(plot.columns);
  for (std::size_t column = 0; column < plot.columns;) {
    std::size_t end = column + 1;
    while (end < plot.columns && strength(end) == strength(column)) ++end;
    const double left = std::max(static_cast<double>(column), partition.begin * columns);
    const double right = std::min(static_cast<double>(end), partition.end * columns);
    if (strength(column) > 0 && right > left) add(strength(column), left, right);
    column = end;
  }
}

void WriteCells(const PartitionPlot& plot, SvgCanvas& svg) {
  std::array<std::string, kHeatLevels.size()> heat;
  std::string throttled;
  for (std::size_t row = 0; row < plot.partitions.size(); ++row) {
    const PlotPartition& partition = plot.partitions[row];
    const double top = TopOf(row) + kBarTop;
    ForEachRun(
        plot, partition, [&](std::size_t column) { return LevelOf(partition.heat[column]); },
        [&](std::size_t level, double left, double right) {
          heat[level - 1] += BoxCommands(left, right, top, kBarHeight);
        });
    ForEachRun(
        plot, partition,
        [&](std::size_t column) { return std::size_t{partition.throttled[column]}; },
        [&](std::size_t, double left, double right) {
          throttled += BoxCommands(left, right, top + kBarHeight - kMarkHeight, kMarkHeight);
        });
  }
  for (std::size_t level = 0; level < heat.size(); ++level) {
    if (!heat[level].empty()) svg.Path(heat[level], ClassOfLevel(level));
  }
  if (!throttled.empty()) svg.Path(throttled, "cell throttled");
}

void WriteForks(const PartitionPlot& plot, SvgCanvas& svg) {
  const auto columns = static_cast<double>(plot.columns);
  std::string commands;
  for (std::size_t row = 0; row < plot.partitions.size(); ++row) {
    const std::size_t parent = plot.partitions[row].parent;
    if (parent == kNoPlotRow) continue;
    commands += "M" + CoordinateText(plot.partitions[parent].end * columns) + " " +
                CoordinateText(MiddleOf(parent)) + "L" +
                CoordinateText(plot.partitions[row].begin * columns) + " " +
                CoordinateText(MiddleOf(row));
  }
  if (!commands.empty()) svg.Path(commands, "fork");
}

void OpenSwatch(HtmlWriter& html) {
  html.Open("li");
  html.Raw("<svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"14\">");
}

void WritePartitionLegend(const PartitionPlot& plot, HtmlWriter& html) {
  html.Open("ul", {{"class", "legend heat"}});
  for (std::size_t level = 0; level < kHeatLevels.size(); ++level) {
    OpenSwatch(html);
    html.Leaf("rect", {{"class", ClassOfLevel(level)}, {"width", "22"}, {"height", "14"}});
    html.Raw("</svg>");
    html.Text(kHeatLevels[level].label);
    html.Close("li");
  }
  OpenSwatch(html);
  html.Leaf("rect", {{"class", "ground"}, {"width", "22"}, {"height", "14"}});
  html.Leaf("rect", {{"class", "throttled"}, {"y", "10"}, {"width", "22"}, {"height", "4"}});
  html.Raw("</svg>");
  html.Text(plot.throttled_text);
  html.Close("li");
  html.Close("ul");
}

}  // namespace

void WritePartitionPlot(const PartitionPlot& plot, HtmlWriter& html) {
  const double height = kRowHeight * static_cast<double>(plot.partitions.size());
  const double bottom = kTop + height;
  WritePartitionLegend(plot, html);
  SvgCanvas svg(plot.text, bottom + 24, true, html);
  for (std::size_t row = 0; row < plot.partitions.size(); ++row) {
    const PlotPartition& partition = plot.partitions[row];
    const double width = std::max(0.0, partition.end - partition.begin);
    svg.Rect({partition.begin, kTop + TopOf(row) + kBarTop, width, kBarHeight}, "ground");
    svg.Label({0, kTop + TopOf(row) + kBarTop + kBarHeight - 3, partition.label, "tick end", -8});
  }
  svg.OpenGrid({0, kTop, 1, height}, static_cast<double>(plot.columns), height);
  WriteCells(plot, svg);
  WriteForks(plot, svg);
  svg.CloseGrid();
  for (const PlotTick& tick : plot.ticks) {
    svg.VerticalLine(tick.at, bottom, bottom + 4, "axis");
    svg.Label({tick.at, bottom + 17, tick.label,
               tick.at <= 0.02   ? "tick"
               : tick.at >= 0.98 ? "tick end"
                                 : "tick middle"});
  }
}

}  // namespace hashrange
