#include <algorithm>
#include <numeric>

#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr double kLabelHeight = 20;
constexpr double kBarHeight = 14;
constexpr double kBarStep = 19;
constexpr double kGroupGap = 8;
constexpr double kAxisHeight = 24;
constexpr std::size_t kMostTicks = 5;
constexpr std::size_t kMostSeriesCharacters = 60;
constexpr double kCutFrom = 8;  // times the second
// The axis ends here, so that there is room for the figures behind the bars; a cut bar ends beyond.
constexpr double kEndOfAxis = 0.8;
constexpr double kEndOfCutBar = 0.86;
constexpr double kGapOfCutBar = 0.82;

double TotalOf(const PlotBar& bar) {
  return std::accumulate(bar.values.begin(), bar.values.end(), 0.0);
}

double HeightOfBars(const BarPlot& plot) {
  double height = 0;
  for (const PlotBar& bar : plot.bars) {
    height += kBarStep + (bar.label.empty() ? 0 : kLabelHeight + kGroupGap);
  }
  return height;
}

// Returns the axis of the bars. A bar that is cut does not count.
PlotAxis AxisOf(const BarPlot& plot) {
  double greatest = 0;
  double second = 0;
  for (const PlotBar& bar : plot.bars) {
    const double total = TotalOf(bar);
    second = std::max(second, std::min(total, greatest));
    greatest = std::max(greatest, total);
  }
  const bool cuts = plot.cuts_outlier && second > 0 && greatest > kCutFrom * second;
  return LinearAxis(cuts ? second : greatest, kMostTicks);
}

bool IsCut(const PlotBar& bar, const PlotAxis& axis) { return TotalOf(bar) > axis.greatest; }

void WriteBar(const PlotBar& bar, const PlotAxis& axis, double y, SvgCanvas& svg) {
  const double total = TotalOf(bar);
  const bool is_cut = IsCut(bar, axis);
  const double end_of_bar = is_cut ? kEndOfCutBar : axis.ShareOf(total) * kEndOfAxis;
  double begin = 0;
  double sum = 0;
  for (std::size_t series = 0; series < bar.values.size(); ++series) {
    if (bar.values[series] <= 0) continue;
    sum += bar.values[series];
    const double end = sum / total * end_of_bar;
    svg.SeriesRect({begin, y, end - begin, kBarHeight}, series);
    begin = end;
  }
  if (is_cut) svg.Rect({kGapOfCutBar, y - 1, 0.006, kBarHeight + 2}, "cut");
  svg.Label({begin, y + kBarHeight - 3, bar.value_text, "value", 6});
}

}  // namespace

void WriteSeriesLegend(const std::vector<std::string>& series, HtmlWriter& html) {
  if (series.size() < 2) return;
  html.Open("ul", {{"class", "legend"}});
  for (std::size_t at = 0; at < series.size(); ++at) {
    html.Open("li");
    html.Raw("<svg class=\"swatch\" aria-hidden=\"true\" width=\"14\" height=\"14\">");
    const std::string number = std::to_string(at % kSeriesColours);
    for (const std::string& css_class : {"s" + number, "p" + number}) {
      html.Leaf("rect", {{"class", css_class}, {"width", "14"}, {"height", "14"}});
    }
    html.Raw("</svg>");
    html.Text(ClippedText(series[at], kMostSeriesCharacters));
    html.Close("li");
  }
  html.Close("ul");
}

void WriteBarPlot(const BarPlot& plot, HtmlWriter& html) {
  const PlotAxis axis = AxisOf(plot);
  const double height = HeightOfBars(plot);
  WriteSeriesLegend(plot.series, html);
  if (std::ranges::any_of(plot.bars, [&](const PlotBar& bar) { return IsCut(bar, axis); })) {
    html.Element("p", "The bar with a gap is longer than it is drawn; the figure behind it tells.",
                 {{"class", "note"}});
  }
  SvgCanvas svg(plot.text, height + kAxisHeight, false, html);
  for (const double tick : axis.ticks) {
    const double x = axis.ShareOf(tick) * kEndOfAxis;
    svg.VerticalLine(x, 0, height, "grid");
    svg.Label({x, height + 16, TickText(tick), tick == 0 ? "tick" : "tick middle"});
  }
  double y = 0;
  for (const PlotBar& bar : plot.bars) {
    if (!bar.label.empty()) {
      svg.Label({0, y + kGroupGap + 14, bar.label, "label"});
      y += kLabelHeight + kGroupGap;
    }
    WriteBar(bar, axis, y, svg);
    y += kBarStep;
  }
  svg.VerticalLine(0, 0, height, "axis");
}

}  // namespace hashrange
