#include <algorithm>

#include "measure/number_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr double kTop = 22;
constexpr double kRowHeight = 42;
constexpr double kAxisHeight = 24;
// A logarithmic axis needs a least value, also where a whisker reaches down to nothing.
constexpr double kLeastOfLimit = 1e-6;

PlotAxis AxisOf(const DotPlot& plot) {
  double least = plot.limit;
  double greatest = plot.limit;
  for (const PlotDot& dot : plot.dots) {
    if (dot.value > 0) least = std::min(least, dot.value);
    greatest = std::max(greatest, dot.value);
  }
  return LogAxis(std::max(least, plot.limit * kLeastOfLimit), greatest);
}

}  // namespace

void WriteDotPlot(const DotPlot& plot, HtmlWriter& html) {
  const PlotAxis axis = AxisOf(plot);
  const double height = kTop + kRowHeight * static_cast<double>(plot.dots.size());
  SvgCanvas svg(plot.text, height + kAxisHeight, false, html);
  for (std::size_t at = 0; at < axis.ticks.size(); ++at) {
    const double x = axis.ShareOf(axis.ticks[at]);
    svg.VerticalLine(x, kTop, height, "grid");
    svg.Label({x, height + 16, TickText(axis.ticks[at]),
               at == 0                       ? "tick"
               : at + 1 == axis.ticks.size() ? "tick end"
                                             : "tick middle"});
  }
  const double limit = axis.ShareOf(plot.limit);
  svg.VerticalLine(limit, kTop - 4, height, "limit");
  svg.Label({limit, kTop - 8, plot.limit_label, limit > 0.6 ? "limit end" : "limit"});
  double y = kTop;
  for (const PlotDot& dot : plot.dots) {
    const double x = axis.ShareOf(dot.value);
    const double from = axis.ShareOf(dot.least);
    const bool is_above = dot.value >= plot.limit;
    svg.Label({0, y + 15, dot.label, "label"});
    if (x > from) {
      svg.HorizontalLine(from, x, y + 29, "whisker");
      svg.VerticalLine(from, y + 25, y + 33, "whisker");
    }
    svg.Dot(x, y + 29, is_above ? "dot above" : "dot");
    const bool is_far = x > 0.7;
    svg.Label({is_far ? std::min(from, x) : x, y + 33, dot.value_text,
               is_far ? "value end" : "value", is_far ? -10.0 : 10.0});
    y += kRowHeight;
  }
}

}  // namespace hashrange
