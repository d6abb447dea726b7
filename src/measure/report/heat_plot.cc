#include <algorithm>
#include <array>

#include "measure/number_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr std::size_t kLevels = 8;
constexpr double kRowHeight = 6;
constexpr double kTop = 6;

// Returns the level of a value, from 1; 0: nothing.
std::size_t LevelOf(double value, const std::vector<double>& bounds) {
  if (value <= 0) return 0;
  std::size_t level = 1;
  while (level < bounds.size() && value > bounds[level - 1]) ++level;
  return level;
}

// Cells of one level that are neighbours in a row become one rectangle.
std::array<std::string, kLevels + 1> CellCommands(const HeatPlot& plot,
                                                  const std::vector<double>& bounds) {
  std::array<std::string, kLevels + 1> commands;
  for (std::size_t row = 0; row < plot.rows; ++row) {
    const auto level_at = [&](std::size_t column) {
      return LevelOf(plot.values[row * plot.columns + column], bounds);
    };
    for (std::size_t column = 0; column < plot.columns;) {
      const std::size_t level = level_at(column);
      std::size_t end = column + 1;
      while (end < plot.columns && level_at(end) == level) ++end;
      const std::string width = std::to_string(end - column);
      if (level > 0) {
        commands[level].append("M").append(std::to_string(column)).append(" ");
        commands[level].append(std::to_string(row)).append("h").append(width);
        commands[level].append("v1h-").append(width).append("z");
      }
      column = end;
    }
  }
  return commands;
}

std::string LevelClass(bool is_write, std::size_t level) {
  return std::string(is_write ? "write" : "read") + " h" + std::to_string(level);
}

void WriteHeatLegend(const HeatPlot& plot, const std::vector<double>& bounds, HtmlWriter& html) {
  html.Open("ul", {{"class", "legend heat"}});
  for (std::size_t level = 1; level <= bounds.size(); ++level) {
    html.Open("li");
    html.Raw("<svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"14\">");
    html.Leaf("rect",
              {{"class", LevelClass(plot.is_write, level)}, {"width", "22"}, {"height", "14"}});
    html.Raw("</svg>");
    html.Text("\xE2\x89\xA4 " + TickText(bounds[level - 1]));
    html.Close("li");
  }
  html.Element("li", plot.unit);
  html.Close("ul");
}

}  // namespace

void WriteHeatPlot(const HeatPlot& plot, HtmlWriter& html) {
  const double greatest = *std::ranges::max_element(plot.values);
  const std::vector<double> bounds = ClassBounds(greatest, kLevels);
  const double height = kRowHeight * static_cast<double>(plot.rows);
  const double bottom = kTop + height;
  WriteHeatLegend(plot, bounds, html);
  SvgCanvas svg(plot.text, bottom + 24, true, html);
  svg.Rect({0, kTop, 1, height}, "ground");
  svg.OpenGrid({0, kTop, 1, height}, static_cast<double>(plot.columns),
               static_cast<double>(plot.rows));
  const auto commands = CellCommands(plot, bounds);
  for (std::size_t level = 1; level < commands.size(); ++level) {
    if (commands[level].empty()) continue;
    svg.Path(commands[level], "cell " + LevelClass(plot.is_write, level));
  }
  svg.CloseGrid();
  for (const PlotTick& tick : plot.row_ticks) {
    svg.Label({0, kTop + tick.at * height + 4, tick.label, "tick end", -8});
  }
  for (const PlotTick& tick : plot.column_ticks) {
    svg.VerticalLine(tick.at, bottom, bottom + 4, "axis");
    svg.Label({tick.at, bottom + 17, tick.label,
               tick.at <= 0.02   ? "tick"
               : tick.at >= 0.98 ? "tick end"
                                 : "tick middle"});
  }
}

}  // namespace hashrange
