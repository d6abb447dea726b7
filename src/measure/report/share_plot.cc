#include "measure/number_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr double kHeadHeight = 20;
constexpr double kRowHeight = 44;
constexpr double kBarHeight = 10;

void WriteCell(double share, const SvgBox& place, SvgCanvas& svg) {
  if (share < 0) {
    svg.Label({place.x, place.y + kBarHeight, "\xE2\x80\x93", "muted"});
    return;
  }
  // Half of a column is for the bar, the rest for the number behind it.
  const double whole = place.width * 0.5;
  svg.Rect({place.x, place.y, whole, kBarHeight}, "ground");
  if (share > 0) svg.Rect({place.x, place.y, whole * share, kBarHeight}, "s0");
  svg.Label(
      {place.x + whole, place.y + kBarHeight, ShareText(share), share > 0 ? "value" : "muted", 6});
}

}  // namespace

void WriteSharePlot(const SharePlot& plot, HtmlWriter& html) {
  const double height = kHeadHeight + kRowHeight * static_cast<double>(plot.rows.size());
  const double width = 1 / static_cast<double>(plot.columns.size());
  SvgCanvas svg(plot.text, height, false, html);
  for (std::size_t column = 0; column < plot.columns.size(); ++column) {
    svg.Label({static_cast<double>(column) * width, 13, plot.columns[column], "tick"});
  }
  double y = kHeadHeight;
  for (const ShareRow& row : plot.rows) {
    svg.HorizontalLine(0, 1, y, "grid");
    svg.Label({0, y + 17, row.label, "label"});
    for (std::size_t column = 0; column < row.shares.size(); ++column) {
      WriteCell(row.shares[column],
                {static_cast<double>(column) * width, y + 25, width * 0.94, kBarHeight}, svg);
    }
    y += kRowHeight;
  }
}

}  // namespace hashrange
