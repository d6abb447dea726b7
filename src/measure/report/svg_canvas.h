// SvgCanvas writes one inline SVG that is as wide as its place on the page: horizontal places are
// shares of the width (0 to 1), vertical ones are pixels. So text keeps its size at every width.
// Colours come from the page's style sheet, by class (report_style.h). Used by one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "measure/report/html_writer.h"

namespace hashrange {

// The number of series that have a colour and a hatching of their own. Further ones begin again.
inline constexpr std::size_t kSeriesColours = 6;

// What a plot says to somebody who does not see it.
struct PlotText {
  std::string title = {};
  std::string description = {};
};

// x and width are shares, y and height pixels.
struct SvgBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct SvgLabel {
  double x = 0;  // a share
  double y = 0;  // pixels, of the line that the letters stand on
  std::string text = {};
  std::string_view css_class = "label";
  double shift = 0;  // pixels to the right
};

// Returns a coordinate with at most two decimals: "12.5".
std::string CoordinateText(double value);

class SvgCanvas {
 public:
  // Begins the SVG. With `has_gutter`, there is room left of it for the labels of a vertical axis.
  SvgCanvas(const PlotText& text, double height, bool has_gutter, HtmlWriter& html);
  // Ends it.
  ~SvgCanvas();
  SvgCanvas(const SvgCanvas&) = delete;
  SvgCanvas& operator=(const SvgCanvas&) = delete;

  void Rect(const SvgBox& box, std::string_view css_class);
  // A rectangle in the colour and with the hatching of the series with this number.
  void SeriesRect(const SvgBox& box, std::size_t series);
  void HorizontalLine(double from, double to, double y, std::string_view css_class);
  void VerticalLine(double x, double from, double to, std::string_view css_class);
  void Dot(double x, double y, std::string_view css_class);
  void Label(const SvgLabel& label);
  // Begins a part with coordinates of its own, from 0 to `columns` and `rows`, that fills the box.
  void OpenGrid(const SvgBox& box, double columns, double rows);
  void Path(std::string_view commands, std::string_view css_class);
  void CloseGrid() { html_.Close("svg"); }

 private:
  HtmlWriter& html_;
};

}  // namespace hashrange
