#include "measure/report/svg_plot.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>

#include "base/portable_math.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

// --- Axes ---

// Powers of ten that a rounding error of log10 cannot move.
double PowerOfTen(int exponent) { return PortablePow(10.0, exponent); }

// Returns a figure that axes can hold: no infinite one, whose power of ten nobody would find.
double WithinAxes(double figure) {
  constexpr double kGreatest = 1e300;
  return std::min(figure, kGreatest);
}

int FloorLog10(double value) {
  int exponent = static_cast<int>(std::floor(PortableLog10(value)));
  while (PowerOfTen(exponent + 1) <= value) ++exponent;
  while (PowerOfTen(exponent) > value) --exponent;
  return exponent;
}

// --- The canvas ---

// x and width are shares of the plot's width, y and height pixels.
struct SvgBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct SvgPlace {
  double x = 0;  // a share
  double y = 0;  // pixels
};

struct SvgLabel {
  double x = 0;  // a share
  double y = 0;  // pixels, of the line that the letters stand on
  std::string text = {};
  std::string_view css_class = "label";
  double shift = 0;  // pixels to the right
};

// Returns a coordinate with at most two decimals: "12.5".
std::string CoordinateText(double value) {
  char text[400];
  char* end = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, 2).ptr;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  const std::string_view number(text, static_cast<std::size_t>(end - text));
  return number == "-0" ? "0" : std::string(number);
}

std::string WidthText(double share) { return CoordinateText(share * 100) + "%"; }

// Writes one inline SVG: horizontal places are shares of its width (0 to 1), vertical ones are
// pixels, so text keeps its size at every width. Colours come from the page's style sheet, by
// class.
class SvgCanvas {
 public:
  // Begins the SVG. With `has_gutter`, there is room left of it for the labels of a vertical axis.
  SvgCanvas(const PlotText& text, double height, bool has_gutter, HtmlWriter& html) : html_(html) {
    const std::string title = html_.NextId();
    const std::string description = html_.NextId();
    html_.Open("svg", {{"class", has_gutter ? "plot gutter" : "plot"},
                       {"role", "img"},
                       {"aria-labelledby", title + " " + description},
                       {"height", CoordinateText(height)}});
    html_.Element("title", text.title, {{"id", title}});
    html_.Element("desc", text.description, {{"id", description}});
  }
  // Ends it.
  ~SvgCanvas() { html_.Close("svg"); }
  SvgCanvas(const SvgCanvas&) = delete;
  SvgCanvas& operator=(const SvgCanvas&) = delete;

  void Rect(const SvgBox& box, std::string_view css_class) {
    html_.Leaf("rect", {{"class", css_class},
                        {"x", WidthText(box.x)},
                        {"y", CoordinateText(box.y)},
                        {"width", WidthText(box.width)},
                        {"height", CoordinateText(box.height)}});
  }

  // Writes a rectangle in the colour and with the hatching of the series with this number.
  void SeriesRect(const SvgBox& box, std::size_t series) {
    const std::size_t colour = series % kSeriesColours;
    Rect(box, "s" + std::to_string(colour));
    if (colour > 0) Rect(box, "p" + std::to_string(colour));
  }

  void Line(const SvgPlace& from, const SvgPlace& to, std::string_view css_class) {
    html_.Leaf("line", {{"class", css_class},
                        {"x1", WidthText(from.x)},
                        {"x2", WidthText(to.x)},
                        {"y1", CoordinateText(from.y)},
                        {"y2", CoordinateText(to.y)}});
  }
  void HorizontalLine(double from, double to, double y, std::string_view css_class) {
    Line({from, y}, {to, y}, css_class);
  }
  void VerticalLine(double x, double from, double to, std::string_view css_class) {
    Line({x, from}, {x, to}, css_class);
  }

  void Dot(double x, double y, std::string_view css_class, std::string_view radius = "5") {
    html_.Leaf(
        "circle",
        {{"class", css_class}, {"cx", WidthText(x)}, {"cy", CoordinateText(y)}, {"r", radius}});
  }

  void Label(const SvgLabel& label) {
    html_.Element("text", label.text,
                  {{"class", label.css_class},
                   {"x", WidthText(label.x)},
                   {"y", CoordinateText(label.y)},
                   {"dx", CoordinateText(label.shift)}});
  }

  // Writes the ticks of a horizontal axis. Every other label has no place on a narrow screen where
  // `thins_out` is set.
  void Ticks(const std::vector<PlotTick>& ticks, double bottom, bool thins_out) {
    bool is_second = false;
    for (const PlotTick& tick : ticks) {
      std::string css_class = tick.at <= 0.02   ? "tick"
                              : tick.at >= 0.98 ? "tick end"
                                                : "tick middle";
      if (thins_out && is_second && tick.at > 0.02) css_class += " second";
      VerticalLine(tick.at, bottom, bottom + 4, "axis");
      Label({tick.at, bottom + 17, tick.label, css_class});
      is_second = !is_second;
    }
  }

  // Begins a part with coordinates of its own, from 0 to `columns` and `rows`, that fills the box.
  void OpenGrid(const SvgBox& box, double columns, double rows) {
    html_.Open("svg", {{"x", WidthText(box.x)},
                       {"y", CoordinateText(box.y)},
                       {"width", WidthText(box.width)},
                       {"height", CoordinateText(box.height)},
                       {"viewBox", "0 0 " + CoordinateText(columns) + " " + CoordinateText(rows)},
                       {"preserveAspectRatio", "none"},
                       {"aria-hidden", "true"}});
  }
  // Writes a path, unless it has no commands.
  void Path(std::string_view commands, std::string_view css_class) {
    if (!commands.empty()) html_.Leaf("path", {{"class", css_class}, {"d", commands}});
  }
  void CloseGrid() { html_.Close("svg"); }

 private:
  HtmlWriter& html_;
};

// Writes an entry of a legend: the swatch, which `draw` draws, and the text.
template <typename Draw>
void WriteSwatch(std::string_view width, std::string_view text, HtmlWriter& html, Draw draw) {
  html.Open("li");
  html.Raw("<svg class=\"swatch\" aria-hidden=\"true\" width=\"" + std::string(width) +
           "\" height=\"14\">");
  draw();
  html.Raw("</svg>");
  html.Text(text);
  html.Close("li");
}

// Writes the names of series beside their colours and hatchings.
void WriteSeriesLegend(const std::vector<std::string>& series, HtmlWriter& html) {
  constexpr std::size_t kMostSeriesCharacters = 60;
  if (series.size() < 2) return;
  html.Open("ul", {{"class", "legend"}});
  for (std::size_t at = 0; at < series.size(); ++at) {
    WriteSwatch("14", ClippedText(series[at], kMostSeriesCharacters), html, [&] {
      const std::string number = std::to_string(at % kSeriesColours);
      for (const std::string& css_class : {"s" + number, "p" + number}) {
        html.Leaf("rect", {{"class", css_class}, {"width", "14"}, {"height", "14"}});
      }
    });
  }
  html.Close("ul");
}

constexpr double kAxisHeight = 24;

// --- Bars ---

constexpr double kBarHeight = 14;
constexpr double kBarStep = 19;
constexpr double kBarLabelHeight = 20;
constexpr double kBarGroupGap = 8;
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
    height += kBarStep + (bar.label.empty() ? 0 : kBarLabelHeight + kBarGroupGap);
  }
  return height;
}

// Returns the axis of the bars. A bar that is cut does not count.
PlotAxis AxisOf(const BarPlot& plot) {
  constexpr std::size_t kMostTicks = 5;
  constexpr double kCutFrom = 8;  // times the second
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

void Write(const BarPlot& plot, const PlotText& text, HtmlWriter& html) {
  const PlotAxis axis = AxisOf(plot);
  const double height = HeightOfBars(plot);
  WriteSeriesLegend(plot.series, html);
  if (std::ranges::any_of(plot.bars, [&](const PlotBar& bar) { return IsCut(bar, axis); })) {
    html.Element("p", "The bar with a gap is longer than it is drawn; the figure behind it tells.",
                 {{"class", "note"}});
  }
  SvgCanvas svg(text, height + kAxisHeight, false, html);
  for (const double tick : axis.ticks) {
    const double x = axis.ShareOf(tick) * kEndOfAxis;
    svg.VerticalLine(x, 0, height, "grid");
    svg.Label({x, height + 16, TickText(tick), tick == 0 ? "tick" : "tick middle"});
  }
  double y = 0;
  for (const PlotBar& bar : plot.bars) {
    if (!bar.label.empty()) {
      svg.Label({0, y + kBarGroupGap + 14, bar.label, "label"});
      y += kBarLabelHeight + kBarGroupGap;
    }
    WriteBar(bar, axis, y, svg);
    y += kBarStep;
  }
  svg.VerticalLine(0, 0, height, "axis");
}

// --- Columns, lines and profiles: a vertical axis, and one plot area ---

constexpr double kColumnsTop = 18;  // room for the labels of limits
constexpr double kColumnsHeight = 160;
constexpr double kColumnsBottom = kColumnsTop + kColumnsHeight;
constexpr SvgBox kColumnsArea = {0, kColumnsTop, 1, kColumnsHeight};
constexpr double kColumnPlotHeight = kColumnsBottom + kAxisHeight;

PlotAxis VerticalAxis(double greatest) { return LinearAxis(greatest, 4); }

// The grid, and the labels of both axes.
void WriteAxes(const PlotAxis& axis, const std::vector<PlotTick>& ticks, SvgCanvas& svg) {
  for (const double tick : axis.ticks) {
    const double y = kColumnsBottom - axis.ShareOf(tick) * kColumnsHeight;
    svg.HorizontalLine(0, 1, y, tick == 0 ? "axis" : "grid");
    svg.Label({0, y + 4, TickText(tick), "tick end", -8});
  }
  svg.Ticks(ticks, kColumnsBottom, true);
}

void WriteColumn(const std::vector<double>& values, const PlotAxis& axis, const SvgBox& place,
                 SvgCanvas& svg) {
  double sum = 0;
  double bottom = 0;
  for (std::size_t series = 0; series < values.size(); ++series) {
    sum += values[series];
    double top = axis.ShareOf(sum) * kColumnsHeight;
    // What is there is seen, however little it is.
    if (values[series] > 0) top = std::max(top, bottom + 1.5);
    if (top > bottom) {
      svg.SeriesRect({place.x, kColumnsBottom - top, place.width, top - bottom}, series);
    }
    bottom = top;
  }
}

void Write(const ColumnPlot& plot, const PlotText& text, HtmlWriter& html) {
  double greatest = 0;
  for (const std::vector<double>& column : plot.columns) {
    greatest = std::max(greatest, std::accumulate(column.begin(), column.end(), 0.0));
  }
  const PlotAxis axis = VerticalAxis(greatest);
  WriteSeriesLegend(plot.series, html);
  SvgCanvas svg(text, kColumnPlotHeight, true, html);
  WriteAxes(axis, plot.ticks, svg);
  const double width = 1 / static_cast<double>(plot.columns.size());
  for (std::size_t at = 0; at < plot.columns.size(); ++at) {
    WriteColumn(plot.columns[at], axis,
                {(static_cast<double>(at) + 0.08) * width, 0, width * 0.84, 0}, svg);
  }
  for (const PlotTick& limit : plot.limits) {
    svg.VerticalLine(limit.at, kColumnsTop - 4, kColumnsBottom, "limit");
    svg.Label({limit.at, kColumnsTop - 6, limit.label, limit.at > 0.7 ? "limit end" : "limit"});
  }
}

std::string LineCommands(const std::vector<double>& line, const PlotAxis& axis) {
  std::string commands;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const double y = (1 - axis.ShareOf(line[at])) * kColumnsHeight;
    commands.append(at == 0 ? "M" : "L").append(CoordinateText(static_cast<double>(at) + 0.5));
    commands.append(" ").append(CoordinateText(y));
  }
  return commands;
}

PlotAxis AxisOf(const LinePlot& plot) {
  double least = 0;
  double greatest = 0;
  for (const std::vector<double>& line : plot.lines) {
    for (const double value : line) {
      greatest = std::max(greatest, value);
      if (value > 0) least = least > 0 ? std::min(least, value) : value;
    }
  }
  return plot.is_log && least > 0 ? LogAxis(least, greatest) : VerticalAxis(greatest);
}

void Write(const LinePlot& plot, const PlotText& text, HtmlWriter& html) {
  std::size_t columns = 0;
  for (const std::vector<double>& line : plot.lines) columns = std::max(columns, line.size());
  const PlotAxis axis = AxisOf(plot);
  const auto class_of = [](std::size_t line) { return "line l" + std::to_string(line); };
  html.Open("ul", {{"class", "legend"}});
  for (std::size_t at = 0; at < plot.series.size(); ++at) {
    WriteSwatch("26", plot.series[at], html, [&] {
      html.Leaf("path", {{"class", class_of(at)}, {"d", "M0 7H26"}});
    });
  }
  html.Close("ul");
  SvgCanvas svg(text, kColumnPlotHeight, true, html);
  WriteAxes(axis, plot.ticks, svg);
  svg.OpenGrid(kColumnsArea, static_cast<double>(columns), kColumnsHeight);
  for (std::size_t at = 0; at < plot.lines.size(); ++at) {
    svg.Path(LineCommands(plot.lines[at], axis), class_of(at));
  }
  svg.CloseGrid();
}

void Write(const ProfilePlot& plot, const PlotText& text, HtmlWriter& html) {
  const auto count = static_cast<double>(plot.values.size());
  double sum = 0;
  double greatest = 0;
  for (const double value : plot.values) {
    sum += value;
    greatest = std::max(greatest, value);
  }
  const PlotAxis axis = VerticalAxis(greatest);
  SvgCanvas svg(text, kColumnPlotHeight, true, html);
  WriteAxes(axis, plot.ticks, svg);
  std::string commands;
  for (std::size_t at = 0; at < plot.values.size(); ++at) {
    if (plot.values[at] <= 0) continue;
    const double height = std::max(axis.ShareOf(plot.values[at]) * kColumnsHeight, 1.0);
    commands.append("M").append(std::to_string(at)).append(" ");
    commands.append(CoordinateText(kColumnsHeight)).append("v-").append(CoordinateText(height));
    commands.append("h1V").append(CoordinateText(kColumnsHeight)).append("z");
  }
  svg.OpenGrid(kColumnsArea, count, kColumnsHeight);
  svg.Path(commands, plot.is_write ? "write" : "read");
  svg.CloseGrid();
  const double even = kColumnsBottom - axis.ShareOf(sum / count) * kColumnsHeight;
  svg.HorizontalLine(0, 1, even, "even");
  svg.Label(
      {1, kColumnsTop - 6, "dotted: even, " + NumberText(sum / count) + " everywhere", "tick end"});
}

// --- Dots ---

PlotAxis AxisOf(const DotPlot& plot) {
  // A logarithmic axis needs a least value, also where a whisker reaches down to nothing.
  constexpr double kLeastOfLimit = 1e-6;
  double least = plot.limit;
  double greatest = plot.limit;
  for (const PlotDot& dot : plot.dots) {
    if (dot.value > 0) least = std::min(least, dot.value);
    greatest = std::max(greatest, dot.value);
  }
  return LogAxis(std::max(least, plot.limit * kLeastOfLimit), greatest);
}

void Write(const DotPlot& plot, const PlotText& text, HtmlWriter& html) {
  constexpr double kTop = 22;
  constexpr double kRowHeight = 42;
  const PlotAxis axis = AxisOf(plot);
  const double height = kTop + kRowHeight * static_cast<double>(plot.dots.size());
  SvgCanvas svg(text, height + kAxisHeight, false, html);
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

// --- Points ---

constexpr double kPointsTop = 30;  // room for the name of the vertical axis
constexpr double kPointsHeight = 280;
constexpr double kPointsBottom = kPointsTop + kPointsHeight;
constexpr double kNameHeight = 18;
// Between a point and the ends of an axis: a share, and pixels.
constexpr double kPointsMargin = 0.03;
constexpr double kPointsMarginY = 26;  // room for a label
constexpr double kEndOfFinite =
    0.8;  // where there is an edge for infinite values, the axis ends here

// A label lies beside its point: how its text is anchored, and its place from the point, in pixels.
struct LabelSide {
  std::string_view css_class;
  double begin;  // where the text begins, in widths of the text
  double x;
  double y;  // of the line that the letters stand on
};
constexpr LabelSide kLabelSides[] = {
    {"label", 0, 12, 4},           {"label end", -1, -12, 4}, {"label middle", -0.5, 0, -13},
    {"label middle", -0.5, 0, 23}, {"label", 0, 8, -9},       {"label end", -1, -8, -9},
    {"label", 0, 8, 19},           {"label end", -1, -8, 19}};

struct PixelBox {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
};

double Overlap(const PixelBox& one, const PixelBox& other) {
  const double width = std::min(one.right, other.right) - std::max(one.left, other.left);
  const double height = std::min(one.bottom, other.bottom) - std::max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

// Finds a side for the label of each point so that labels cover each other, points, the line and
// the ends of the plot as little as can be, on a narrow screen and on a wide one.
class LabelPlacer {
 public:
  LabelPlacer(const PointPlot& plot, const std::vector<SvgPlace>& places)
      : plot_(plot), places_(places) {}

  // Improves one label after the other, from each of the sides as the beginning of all.
  std::vector<std::size_t> Place() {
    std::vector<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t first = 0; first < std::size(kLabelSides); ++first) {
      sides_.assign(places_.size(), first);
      Improve();
      double cost = 0;
      for (std::size_t point = 0; point < sides_.size(); ++point) {
        cost += CostOf(point, sides_[point]);
      }
      if (cost >= least) continue;
      least = cost;
      best = sides_;
    }
    return best;
  }

 private:
  void Improve() {
    constexpr int kMostRounds = 10;
    bool changes = true;
    for (int round = 0; changes && round < kMostRounds; ++round) {
      changes = false;
      for (std::size_t point = 0; point < sides_.size(); ++point) {
        const std::size_t before = sides_[point];
        sides_[point] = BestSide(point);
        changes = changes || sides_[point] != before;
      }
    }
  }

  std::size_t BestSide(std::size_t point) const {
    std::size_t best = 0;
    double least = CostOf(point, 0);
    for (std::size_t side = 1; side < std::size(kLabelSides); ++side) {
      const double cost = CostOf(point, side);
      if (cost < least) {
        least = cost;
        best = side;
      }
    }
    return best;
  }

  // Returns the pixels that the label would share with others, at two widths of the plot. A point
  // on a label, and a label beyond the plot, are worse than labels that touch.
  double CostOf(std::size_t point, std::size_t side) const {
    constexpr double kWidths[] = {300, 860};
    constexpr double kPointRadius = 9;
    constexpr double kBeyond = 1000;
    constexpr double kWeight = 4;
    double cost = 0;
    for (const double width : kWidths) {
      const PixelBox box = BoxOf(point, side, width);
      for (std::size_t other = 0; other < places_.size(); ++other) {
        const double x = places_[other].x * width;
        const double y = places_[other].y;
        cost += kWeight * Overlap(box, {x - kPointRadius, x + kPointRadius, y - kPointRadius,
                                        y + kPointRadius});
        if (other != point) cost += Overlap(box, BoxOf(other, sides_[other], width));
      }
      cost += kWeight * (Overlap(box, {width, width + kBeyond, 0, kBeyond}) +
                         Overlap(box, {-kBeyond, 0, 0, kBeyond}) +
                         Overlap(box, {0, width, kPointsBottom, kBeyond}));
      cost += CostOfLine(box, width);
    }
    return cost;
  }

  // The line counts as small boxes one behind the other.
  double CostOfLine(const PixelBox& box, double width) const {
    constexpr int kSteps = 24;
    constexpr double kHalf = 2;
    double cost = 0;
    for (std::size_t at = 1; at < plot_.joined.size(); ++at) {
      const SvgPlace& from = places_[plot_.joined[at - 1]];
      const SvgPlace& to = places_[plot_.joined[at]];
      for (int step = 0; step <= kSteps; ++step) {
        const double share = static_cast<double>(step) / kSteps;
        const double x = std::lerp(from.x, to.x, share) * width;
        const double y = std::lerp(from.y, to.y, share);
        cost += Overlap(box, {x - kHalf, x + kHalf, y - kHalf, y + kHalf});
      }
    }
    return cost;
  }

  PixelBox BoxOf(std::size_t point, std::size_t side, double width) const {
    constexpr double kLetterWidth = 7.2;
    constexpr double kLetterHeight = 12;
    constexpr double kBelowLine = 4;
    const LabelSide& at = kLabelSides[side];
    const double text =
        static_cast<double>(TerminalColumns(plot_.points[point].label)) * kLetterWidth;
    const double left = places_[point].x * width + at.x + at.begin * text;
    const double line = places_[point].y + at.y;
    return {left, left + text, line - kLetterHeight, line + kBelowLine};
  }

  const PointPlot& plot_;
  const std::vector<SvgPlace>& places_;
  std::vector<std::size_t> sides_ = {};
};

PlotAxis AxisOf(const PointPlot& plot, double PlotPoint::*value) {
  constexpr std::size_t kMostTicks = 5;
  constexpr double kLogFrom = 20;
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (const PlotPoint& point : plot.points) {
    if (!std::isfinite(point.*value)) continue;
    least = std::min(least, point.*value);
    greatest = std::max(greatest, point.*value);
  }
  least = std::min(least, greatest);
  return least > 0 && greatest > kLogFrom * least ? LogAxis(least, greatest)
                                                  : SpanAxis(least, greatest, kMostTicks);
}

// The axes of points, and what stands on them.
struct PointAxes {
  PlotAxis x = {};
  PlotAxis y = {};
  double end_of_x = 1;

  double PlaceOfX(double value) const {
    const double share = std::isfinite(value) ? x.ShareOf(value) * end_of_x : 1;
    return kPointsMargin + share * (1 - 2 * kPointsMargin);
  }
  double PlaceOfY(double value) const {
    return kPointsBottom - kPointsMarginY - y.ShareOf(value) * (kPointsHeight - 2 * kPointsMarginY);
  }
};

void WritePointAxes(const PointPlot& plot, const PointAxes& axes, SvgCanvas& svg) {
  for (const double tick : axes.y.ticks) {
    const double y = axes.PlaceOfY(tick);
    svg.HorizontalLine(0, 1, y, "grid");
    svg.Label({0, y + 4, TickText(tick), "tick end", -8});
  }
  std::vector<PlotTick> ticks;
  const bool has_finite = std::ranges::any_of(
      plot.points, [](const PlotPoint& point) { return std::isfinite(point.x); });
  if (has_finite) {
    for (const double tick : axes.x.ticks) ticks.push_back({axes.PlaceOfX(tick), TickText(tick)});
  }
  for (const PlotTick& tick : ticks) svg.VerticalLine(tick.at, kPointsTop, kPointsBottom, "grid");
  if (axes.end_of_x < 1) {
    svg.VerticalLine(1 - kPointsMargin, kPointsTop, kPointsBottom, "even");
    svg.Label({1, kPointsBottom + 17, plot.edge_name, "tick end"});
  }
  svg.HorizontalLine(0, 1, kPointsBottom, "axis");
  svg.Ticks(ticks, kPointsBottom, false);
  svg.Label({0, 14, plot.y_name, "tick", -40});
  svg.Label({1, kPointsBottom + kAxisHeight + 12, plot.x_name, "tick end"});
}

void Write(const PointPlot& plot, const PlotText& text, HtmlWriter& html) {
  const bool has_edge = std::ranges::any_of(
      plot.points, [](const PlotPoint& point) { return !std::isfinite(point.x); });
  const PointAxes axes = {AxisOf(plot, &PlotPoint::x), AxisOf(plot, &PlotPoint::y),
                          has_edge ? kEndOfFinite : 1};
  std::vector<SvgPlace> places;
  for (const PlotPoint& point : plot.points) {
    places.push_back({axes.PlaceOfX(point.x), axes.PlaceOfY(point.y)});
  }
  SvgCanvas svg(text, kPointsBottom + kAxisHeight + kNameHeight, true, html);
  WritePointAxes(plot, axes, svg);
  for (std::size_t at = 1; at < plot.joined.size(); ++at) {
    svg.Line(places[plot.joined[at - 1]], places[plot.joined[at]], "joined");
  }
  const std::vector<std::size_t> sides = LabelPlacer(plot, places).Place();
  for (std::size_t at = 0; at < places.size(); ++at) {
    const LabelSide& side = kLabelSides[sides[at]];
    svg.Label({places[at].x, places[at].y + side.y, plot.points[at].label, side.css_class, side.x});
  }
  for (std::size_t at = 0; at < places.size(); ++at) {
    const PlotPoint& point = plot.points[at];
    if (point.is_ringed) svg.Dot(places[at].x, places[at].y, "ring", "9");
    svg.Dot(places[at].x, places[at].y, point.is_hollow ? "dot" : "dot full");
  }
}

// --- Heat ---

constexpr std::size_t kHeatLevels = 8;
constexpr double kHeatTop = 6;

// The heights of a row and of its bar, in pixels, and how many units of the grid a row has.
struct HeatRowShape {
  double height;
  double units;
  double bar_top;  // in units
  double bar_height;
};
constexpr HeatRowShape kCells = {6, 1, 0, 1};
constexpr HeatRowShape kBars = {18, 18, 2, 14};
constexpr double kMarkHeight = 4;  // of a mark, at the lower edge of a bar

std::string LevelClass(const HeatPlot& plot, std::size_t level) {
  return std::string("cell ") + (plot.is_write ? "write" : "read") + " h" + std::to_string(level);
}

// Returns the level of a value, from 1; 0: nothing.
std::size_t LevelOf(double value, std::span<const HeatLevel> levels) {
  if (value <= 0) return 0;
  std::size_t level = 1;
  while (level < levels.size() && value > levels[level - 1].most) ++level;
  return level;
}

std::vector<HeatLevel> RoundLevels(const HeatPlot& plot) {
  double greatest = 0;
  for (const HeatRow& row : plot.rows) {
    for (const double value : row.values) greatest = std::max(greatest, value);
  }
  std::vector<HeatLevel> levels;
  for (const double bound : ClassBounds(greatest, kHeatLevels)) {
    levels.push_back({bound, "≤ " + TickText(bound)});
  }
  return levels;
}

void WriteHeatLegend(const HeatPlot& plot, std::span<const HeatLevel> levels, HtmlWriter& html) {
  html.Open("ul", {{"class", "legend heat"}});
  for (std::size_t at = 0; at < levels.size(); ++at) {
    WriteSwatch("22", levels[at].label, html, [&] {
      html.Leaf("rect", {{"class", LevelClass(plot, at + 1)}, {"width", "22"}, {"height", "14"}});
    });
  }
  if (!plot.mark_text.empty()) {
    WriteSwatch("22", plot.mark_text, html, [&] {
      html.Leaf("rect", {{"class", "ground"}, {"width", "22"}, {"height", "14"}});
      html.Leaf("rect", {{"class", "throttled"}, {"y", "10"}, {"width", "22"}, {"height", "4"}});
    });
  }
  if (!plot.unit.empty()) html.Element("li", plot.unit);
  html.Close("ul");
}

std::string BoxCommands(double left, double right, double top, double height) {
  const std::string width = CoordinateText(right - left);
  return "M" + CoordinateText(left) + " " + CoordinateText(top) + "h" + width + "v" +
         CoordinateText(height) + "h-" + width + "z";
}

// Calls `add` for each run of columns for which `strength` is the same and not 0, as far as the row
// was there. Neighbours of one strength become one rectangle.
template <typename Strength, typename Add>
void ForEachRun(std::size_t columns, const HeatRow& row, Strength strength, Add add) {
  const auto width = static_cast<double>(columns);
  for (std::size_t column = 0; column < columns;) {
    std::size_t end = column + 1;
    while (end < columns && strength(end) == strength(column)) ++end;
    const double left = std::max(static_cast<double>(column), row.begin * width);
    const double right = std::min(static_cast<double>(end), row.end * width);
    if (strength(column) > 0 && right > left) add(strength(column), left, right);
    column = end;
  }
}

void WriteCells(const HeatPlot& plot, std::span<const HeatLevel> levels, const HeatRowShape& shape,
                SvgCanvas& svg) {
  std::array<std::string, kHeatLevels + 1> heat;
  std::string marks;
  for (std::size_t at = 0; at < plot.rows.size(); ++at) {
    const HeatRow& row = plot.rows[at];
    const double top = static_cast<double>(at) * shape.units + shape.bar_top;
    ForEachRun(
        plot.columns, row, [&](std::size_t column) { return LevelOf(row.values[column], levels); },
        [&](std::size_t level, double left, double right) {
          heat[level] += BoxCommands(left, right, top, shape.bar_height);
        });
    if (row.marked.empty()) continue;
    ForEachRun(
        plot.columns, row, [&](std::size_t column) { return std::size_t{row.marked[column]}; },
        [&](std::size_t, double left, double right) {
          marks += BoxCommands(left, right, top + shape.bar_height - kMarkHeight, kMarkHeight);
        });
  }
  for (std::size_t level = 1; level < heat.size(); ++level) {
    svg.Path(heat[level], LevelClass(plot, level));
  }
  svg.Path(marks, "cell throttled");
}

// Writes a line from the end of each bar to the bars that it was cut into.
void WriteForks(const HeatPlot& plot, const HeatRowShape& shape, SvgCanvas& svg) {
  const auto columns = static_cast<double>(plot.columns);
  const auto middle_of = [&](std::size_t row) {
    return static_cast<double>(row) * shape.units + shape.bar_top + shape.bar_height / 2;
  };
  std::string commands;
  for (std::size_t row = 0; row < plot.rows.size(); ++row) {
    const std::size_t parent = plot.rows[row].parent;
    if (parent == kNoPlotRow) continue;
    commands += "M" + CoordinateText(plot.rows[parent].end * columns) + " " +
                CoordinateText(middle_of(parent)) + "L" +
                CoordinateText(plot.rows[row].begin * columns) + " " +
                CoordinateText(middle_of(row));
  }
  svg.Path(commands, "fork");
}

void Write(const HeatPlot& plot, const PlotText& text, HtmlWriter& html) {
  const std::vector<HeatLevel> levels = plot.levels.empty() ? RoundLevels(plot) : plot.levels;
  const HeatRowShape& shape = plot.has_bars ? kBars : kCells;
  const auto rows = static_cast<double>(plot.rows.size());
  const double height = shape.height * rows;
  WriteHeatLegend(plot, levels, html);
  SvgCanvas svg(text, kHeatTop + height + kAxisHeight, true, html);
  if (!plot.has_bars) svg.Rect({0, kHeatTop, 1, height}, "ground");
  for (std::size_t at = 0; at < plot.rows.size(); ++at) {
    const HeatRow& row = plot.rows[at];
    const double top = kHeatTop + static_cast<double>(at) * shape.height;
    if (plot.has_bars) {
      svg.Rect(
          {row.begin, top + shape.bar_top, std::max(0.0, row.end - row.begin), shape.bar_height},
          "ground");
    }
    if (row.label.empty()) continue;
    svg.Label({0, top + shape.height / 2 + 4, row.label, "tick end", -8});
  }
  svg.OpenGrid({0, kHeatTop, 1, height}, static_cast<double>(plot.columns), shape.units * rows);
  WriteCells(plot, levels, shape, svg);
  WriteForks(plot, shape, svg);
  svg.CloseGrid();
  svg.Ticks(plot.ticks, kHeatTop + height, false);
}

// --- Shares ---

constexpr double kShareBarHeight = 10;

void WriteShare(double share, const SvgBox& place, SvgCanvas& svg) {
  if (share < 0) {
    svg.Label({place.x, place.y + kShareBarHeight, "–", "muted"});
    return;
  }
  // Half of a column is for the bar, the rest for the number behind it.
  const double whole = place.width * 0.5;
  svg.Rect({place.x, place.y, whole, kShareBarHeight}, "ground");
  if (share > 0) svg.Rect({place.x, place.y, whole * share, kShareBarHeight}, "s0");
  svg.Label({place.x + whole, place.y + kShareBarHeight, ShareText(share),
             share > 0 ? "value" : "muted", 6});
}

void Write(const SharePlot& plot, const PlotText& text, HtmlWriter& html) {
  constexpr double kHeadHeight = 20;
  constexpr double kRowHeight = 44;
  const double height = kHeadHeight + kRowHeight * static_cast<double>(plot.rows.size());
  const double width = 1 / static_cast<double>(plot.columns.size());
  SvgCanvas svg(text, height, false, html);
  for (std::size_t column = 0; column < plot.columns.size(); ++column) {
    svg.Label({static_cast<double>(column) * width, 13, plot.columns[column], "tick"});
  }
  double y = kHeadHeight;
  for (const ShareRow& row : plot.rows) {
    svg.HorizontalLine(0, 1, y, "grid");
    svg.Label({0, y + 17, row.label, "label"});
    for (std::size_t column = 0; column < row.shares.size(); ++column) {
      WriteShare(row.shares[column], {static_cast<double>(column) * width, y + 25, width * 0.94, 0},
                 svg);
    }
    y += kRowHeight;
  }
}

void Write(const std::monostate&, const PlotText&, HtmlWriter&) {}

}  // namespace

void WritePlot(const ReportPlot& plot, const PlotText& text, HtmlWriter& html) {
  std::visit([&](const auto& each) { Write(each, text, html); }, plot);
}

double PlotAxis::ShareOf(double value) const {
  if (!is_log) return std::clamp((value - least) / (greatest - least), 0.0, 1.0);
  if (value <= least) return 0;
  const double share = PortableLog10(value / least) / PortableLog10(greatest / least);
  return std::clamp(share, 0.0, 1.0);
}

PlotAxis LinearAxis(double greatest, std::size_t most_ticks) {
  greatest = greatest > 0 ? WithinAxes(greatest) : 1;
  const auto most = static_cast<double>(most_ticks);
  const int exponent = FloorLog10(greatest / most);
  double step = PowerOfTen(exponent + 1);
  for (const double factor : {1.0, 2.0, 5.0}) {
    const double candidate = factor * PowerOfTen(exponent);
    if (std::ceil(greatest / candidate) <= most) {
      step = candidate;
      break;
    }
  }
  const auto steps = static_cast<int>(std::ceil(greatest / step));
  PlotAxis axis{.least = 0, .greatest = step * steps};
  for (int at = 0; at <= steps; ++at) axis.ticks.push_back(step * at);
  return axis;
}

PlotAxis SpanAxis(double least, double greatest, std::size_t most_ticks) {
  // Values that differ by less look the same.
  constexpr double kLeastSpan = 0.02;
  if (greatest <= 0) return LinearAxis(1, most_ticks);
  greatest = WithinAxes(greatest);
  least = std::min(least, greatest * (1 - kLeastSpan));
  const double step = LinearAxis(greatest - least, most_ticks).ticks[1];
  const double first = std::floor(least / step);
  const double last = std::ceil(greatest / step);
  PlotAxis axis{.least = first * step, .greatest = last * step};
  for (double at = first; at <= last; ++at) axis.ticks.push_back(at * step);
  return axis;
}

PlotAxis LogAxis(double least, double greatest) {
  least = WithinAxes(least);
  greatest = WithinAxes(greatest);
  const int first = FloorLog10(least);
  int last = FloorLog10(greatest);
  if (PowerOfTen(last) < greatest || last == first) ++last;
  PlotAxis axis{.least = PowerOfTen(first), .greatest = PowerOfTen(last), .is_log = true};
  for (int exponent = first; exponent <= last; ++exponent) {
    axis.ticks.push_back(PowerOfTen(exponent));
  }
  return axis;
}

std::vector<double> ClassBounds(double greatest, std::size_t count) {
  greatest = greatest > 0 ? WithinAxes(greatest) : 1;
  // Bounds are numbered: 3e is 10^e, 3e + 1 is 2 * 10^e, 3e + 2 is 5 * 10^e.
  const auto bound = [](int number) {
    constexpr double kFactors[] = {1, 2, 5};
    const int factor = (number % 3 + 3) % 3;
    return PowerOfTen((number - factor) / 3) * kFactors[factor];
  };
  int last = 3 * FloorLog10(greatest);
  while (bound(last) < greatest) ++last;
  std::vector<double> bounds;
  for (std::size_t at = count; at > 0; --at) {
    bounds.push_back(bound(last - static_cast<int>(at) + 1));
  }
  return bounds;
}

}  // namespace hashrange
