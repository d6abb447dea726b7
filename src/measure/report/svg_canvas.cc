#include "measure/report/svg_canvas.h"

#include <charconv>

namespace hashrange {
namespace {

std::string PercentText(double share) { return CoordinateText(share * 100) + "%"; }

}  // namespace

std::string CoordinateText(double value) {
  char text[400];
  char* end = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, 2).ptr;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  const std::string_view number(text, static_cast<std::size_t>(end - text));
  return number == "-0" ? "0" : std::string(number);
}

SvgCanvas::SvgCanvas(const PlotText& text, double height, bool has_gutter, HtmlWriter& html)
    : html_(html) {
  const std::string title = html_.NextId();
  const std::string description = html_.NextId();
  html_.Open("svg", {{"class", has_gutter ? "plot gutter" : "plot"},
                     {"role", "img"},
                     {"aria-labelledby", title + " " + description},
                     {"height", CoordinateText(height)}});
  html_.Element("title", text.title, {{"id", title}});
  html_.Element("desc", text.description, {{"id", description}});
}

SvgCanvas::~SvgCanvas() { html_.Close("svg"); }

void SvgCanvas::Rect(const SvgBox& box, std::string_view css_class) {
  html_.Leaf("rect", {{"class", css_class},
                      {"x", PercentText(box.x)},
                      {"y", CoordinateText(box.y)},
                      {"width", PercentText(box.width)},
                      {"height", CoordinateText(box.height)}});
}

void SvgCanvas::SeriesRect(const SvgBox& box, std::size_t series) {
  const std::size_t colour = series % kSeriesColours;
  Rect(box, "s" + std::to_string(colour));
  if (colour > 0) Rect(box, "p" + std::to_string(colour));
}

void SvgCanvas::HorizontalLine(double from, double to, double y, std::string_view css_class) {
  html_.Leaf("line", {{"class", css_class},
                      {"x1", PercentText(from)},
                      {"x2", PercentText(to)},
                      {"y1", CoordinateText(y)},
                      {"y2", CoordinateText(y)}});
}

void SvgCanvas::VerticalLine(double x, double from, double to, std::string_view css_class) {
  html_.Leaf("line", {{"class", css_class},
                      {"x1", PercentText(x)},
                      {"x2", PercentText(x)},
                      {"y1", CoordinateText(from)},
                      {"y2", CoordinateText(to)}});
}

void SvgCanvas::Dot(double x, double y, std::string_view css_class) {
  html_.Leaf("circle",
             {{"class", css_class}, {"cx", PercentText(x)}, {"cy", CoordinateText(y)}, {"r", "5"}});
}

void SvgCanvas::Label(const SvgLabel& label) {
  html_.Element("text", label.text,
                {{"class", label.css_class},
                 {"x", PercentText(label.x)},
                 {"y", CoordinateText(label.y)},
                 {"dx", CoordinateText(label.shift)}});
}

void SvgCanvas::OpenGrid(const SvgBox& box, double columns, double rows) {
  html_.Open("svg", {{"x", PercentText(box.x)},
                     {"y", CoordinateText(box.y)},
                     {"width", PercentText(box.width)},
                     {"height", CoordinateText(box.height)},
                     {"viewBox", "0 0 " + CoordinateText(columns) + " " + CoordinateText(rows)},
                     {"preserveAspectRatio", "none"},
                     {"aria-hidden", "true"}});
}

void SvgCanvas::Path(std::string_view commands, std::string_view css_class) {
  html_.Leaf("path", {{"class", css_class}, {"d", commands}});
}

}  // namespace hashrange
