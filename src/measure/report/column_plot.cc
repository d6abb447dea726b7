#include <algorithm>
#include <numeric>

#include "measure/number_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr double kTop = 18;  // room for the labels of limits
constexpr double kPlotHeight = 160;
constexpr double kBottom = kTop + kPlotHeight;
constexpr double kHeight = kBottom + 24;
constexpr std::size_t kMostTicks = 4;

// The grid, and the labels of both axes.
void WriteAxes(const PlotAxis& axis, const std::vector<PlotTick>& ticks, SvgCanvas& svg) {
  for (const double tick : axis.ticks) {
    const double y = kBottom - axis.ShareOf(tick) * kPlotHeight;
    svg.HorizontalLine(0, 1, y, tick == 0 ? "axis" : "grid");
    svg.Label({0, y + 4, TickText(tick), "tick end", -8});
  }
  for (std::size_t at = 0; at < ticks.size(); ++at) {
    const PlotTick& tick = ticks[at];
    std::string_view css_class = at % 2 == 0 ? "tick middle" : "tick middle second";
    if (tick.at <= 0.02) css_class = "tick";
    if (tick.at >= 0.98) css_class = at % 2 == 0 ? "tick end" : "tick end second";
    svg.VerticalLine(tick.at, kBottom, kBottom + 4, "axis");
    svg.Label({tick.at, kBottom + 17, tick.label, css_class});
  }
}

void WriteColumn(const std::vector<double>& values, const PlotAxis& axis, const SvgBox& place,
                 SvgCanvas& svg) {
  double sum = 0;
  double bottom = 0;
  for (std::size_t series = 0; series < values.size(); ++series) {
    sum += values[series];
    double top = axis.ShareOf(sum) * kPlotHeight;
    // What is there is seen, however little it is.
    if (values[series] > 0) top = std::max(top, bottom + 1.5);
    if (top > bottom) {
      svg.SeriesRect({place.x, kBottom - top, place.width, top - bottom}, series);
    }
    bottom = top;
  }
}

std::string LineCommands(const std::vector<double>& line, const PlotAxis& axis) {
  std::string commands;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const double y = (1 - axis.ShareOf(line[at])) * kPlotHeight;
    commands.append(at == 0 ? "M" : "L").append(CoordinateText(static_cast<double>(at) + 0.5));
    commands.append(" ").append(CoordinateText(y));
  }
  return commands;
}

void WriteLineLegend(const std::vector<std::string>& series, HtmlWriter& html) {
  html.Open("ul", {{"class", "legend"}});
  for (std::size_t at = 0; at < series.size(); ++at) {
    html.Open("li");
    html.Raw("<svg class=\"swatch\" aria-hidden=\"true\" width=\"26\" height=\"14\">");
    html.Leaf("path", {{"class", "line l" + std::to_string(at)}, {"d", "M0 7H26"}});
    html.Raw("</svg>");
    html.Text(series[at]);
    html.Close("li");
  }
  html.Close("ul");
}

}  // namespace

void WriteColumnPlot(const ColumnPlot& plot, HtmlWriter& html) {
  double greatest = 0;
  for (const std::vector<double>& column : plot.columns) {
    greatest = std::max(greatest, std::accumulate(column.begin(), column.end(), 0.0));
  }
  const PlotAxis axis = LinearAxis(greatest, kMostTicks);
  WriteSeriesLegend(plot.series, html);
  SvgCanvas svg(plot.text, kHeight, true, html);
  WriteAxes(axis, plot.ticks, svg);
  const auto count = static_cast<double>(plot.columns.size());
  for (std::size_t at = 0; at < plot.columns.size(); ++at) {
    const double width = 1 / count;
    WriteColumn(plot.columns[at], axis,
                {(static_cast<double>(at) + 0.08) * width, 0, width * 0.84, 0}, svg);
  }
  for (const PlotLimit& limit : plot.limits) {
    svg.VerticalLine(limit.at, kTop - 4, kBottom, "limit");
    svg.Label({limit.at, kTop - 6, limit.label, limit.at > 0.7 ? "limit end" : "limit"});
  }
}

void WriteLinePlot(const LinePlot& plot, HtmlWriter& html) {
  double greatest = 0;
  std::size_t columns = 0;
  for (const std::vector<double>& line : plot.lines) {
    for (const double value : line) greatest = std::max(greatest, value);
    columns = std::max(columns, line.size());
  }
  const PlotAxis axis = LinearAxis(greatest, kMostTicks);
  WriteLineLegend(plot.series, html);
  SvgCanvas svg(plot.text, kHeight, true, html);
  WriteAxes(axis, plot.ticks, svg);
  svg.OpenGrid({0, kTop, 1, kPlotHeight}, static_cast<double>(columns), kPlotHeight);
  for (std::size_t at = 0; at < plot.lines.size(); ++at) {
    svg.Path(LineCommands(plot.lines[at], axis), "line l" + std::to_string(at));
  }
  svg.CloseGrid();
}

void WriteProfilePlot(const ProfilePlot& plot, HtmlWriter& html) {
  const auto count = static_cast<double>(plot.values.size());
  double sum = 0;
  double greatest = 0;
  for (const double value : plot.values) {
    sum += value;
    greatest = std::max(greatest, value);
  }
  const PlotAxis axis = LinearAxis(greatest, kMostTicks);
  SvgCanvas svg(plot.text, kHeight, true, html);
  WriteAxes(axis, plot.ticks, svg);
  std::string commands;
  for (std::size_t at = 0; at < plot.values.size(); ++at) {
    if (plot.values[at] <= 0) continue;
    const double height = std::max(axis.ShareOf(plot.values[at]) * kPlotHeight, 1.0);
    commands.append("M").append(std::to_string(at)).append(" ");
    commands.append(CoordinateText(kPlotHeight)).append("v-").append(CoordinateText(height));
    commands.append("h1V").append(CoordinateText(kPlotHeight)).append("z");
  }
  svg.OpenGrid({0, kTop, 1, kPlotHeight}, count, kPlotHeight);
  svg.Path(commands, plot.is_write ? "write" : "read");
  svg.CloseGrid();
  const double even = kBottom - axis.ShareOf(sum / count) * kPlotHeight;
  svg.HorizontalLine(0, 1, even, "even");
  svg.Label({1, kTop - 6, "dotted: even, " + NumberText(sum / count) + " everywhere", "tick end"});
}

}  // namespace hashrange
