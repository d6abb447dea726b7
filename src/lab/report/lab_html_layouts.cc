#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "lab/report/lab_html_sections.h"
#include "lab/report/lab_layout_rows.h"
#include "lab/report/lab_sentences.h"
#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostBars = 20;  // patterns of a plot
constexpr std::size_t kMostGrowing = 12;

void WriteList(const std::vector<std::string>& sentences, HtmlWriter& html) {
  html.Open("ul", {{"class", "assumptions"}});
  for (const std::string& sentence : sentences) html.Element("li", sentence);
  html.Close("ul");
}

std::vector<TableColumn> ColumnsOfLayouts(const LabFigures& figures, std::string_view first) {
  std::vector<TableColumn> columns = {{std::string(first), ColumnKind::kText}};
  for (const LabLayoutFigures& layout : figures.layouts) {
    columns.push_back({layout.name, ColumnKind::kNumber});
  }
  return columns;
}

// --- Side by side ---

// The patterns that cost most over all layouts, as many as have colours of their own.
std::vector<std::size_t> DearestPatterns(const LabFigures& figures) {
  std::vector<std::pair<double, std::size_t>> sums;
  for (std::size_t at = 0; at < figures.layouts.front().patterns.size(); ++at) {
    double sum = 0;
    for (const LabLayoutFigures& layout : figures.layouts) {
      sum += layout.patterns[at].month_usd.value_or(0);
    }
    if (sum > 0) sums.emplace_back(-sum, at);
  }
  std::ranges::sort(sums);
  if (sums.size() >= kSeriesColours) sums.resize(kSeriesColours - 1);
  std::vector<std::size_t> patterns;
  for (const auto& [sum, at] : sums) patterns.push_back(at);
  return patterns;
}

void WriteMonthPlot(const LabPage& page, HtmlWriter& html) {
  const std::vector<std::size_t> dearest = DearestPatterns(page.figures);
  if (dearest.empty()) return;
  BarPlot plot{.text = {"US$ a month on demand, by layout and pattern",
                        "One bar for each layout, divided by pattern; the table of patterns has "
                        "the figures."}};
  for (const std::size_t at : dearest) plot.series.push_back(page.file.patterns[at].name);
  plot.series.emplace_back("others");
  for (const LabLayoutFigures& layout : page.figures.layouts) {
    PlotBar bar{.label = layout.name};
    double all = 0;
    double shown = 0;
    for (const LabPatternFigures& pattern : layout.patterns) all += pattern.month_usd.value_or(0);
    for (const std::size_t at : dearest) {
      bar.values.push_back(layout.patterns[at].month_usd.value_or(0));
      shown += bar.values.back();
    }
    bar.values.push_back(std::max(0.0, all - shown));
    bar.value_text = UsdText(all);
    plot.bars.push_back(std::move(bar));
  }
  OpenFigure({.caption = "What the calls of a month cost on demand, US$",
              .method = "modelled",
              .note = "The declared rates at every hour; storage is not in these bars."},
             html);
  WriteBarPlot(plot, html);
  CloseFigure(html);
}

void WriteFirstLimitPlot(const LabPage& page, HtmlWriter& html) {
  BarPlot plot{.text = {"First limit of each layout, as a multiple of the declared rates",
                        "One bar for each layout. Below 1, the layout does not carry the rates."},
               .cuts_outlier = true};
  for (const LabLayoutFigures& layout : page.figures.layouts) {
    if (!layout.first_limit || !std::isfinite(layout.first_limit->multiple)) continue;
    plot.bars.push_back({.label = layout.name + ": " + LimitPlaceText(layout.first_limit->row),
                         .values = {layout.first_limit->multiple},
                         .value_text = NumberText(layout.first_limit->multiple) + " ×"});
  }
  if (plot.bars.empty()) return;
  OpenFigure({.caption = "First limit, as a multiple of the declared rates",
              .method = "modelled",
              .note = "Computed from the units of the run, for tables that are warm."},
             html);
  WriteBarPlot(plot, html);
  CloseFigure(html);
}

// --- Units by pattern ---

void WriteUnitsPlot(const LabPage& page, bool is_write, HtmlWriter& html) {
  const std::string what = is_write ? "Write units a call" : "Read units a call";
  BarPlot plot{.text = {what + ", by pattern and layout",
                        "For each pattern one bar for each layout; the table has the figures."},
               .cuts_outlier = true};
  const std::size_t layouts = page.figures.layouts.size();
  if (layouts > 1) {
    for (const LabLayoutFigures& layout : page.figures.layouts) plot.series.push_back(layout.name);
  }
  for (std::size_t at = 0; at < page.file.patterns.size(); ++at) {
    if (plot.bars.size() >= kMostBars * layouts) break;
    bool has_units = false;
    std::vector<PlotBar> bars;
    for (std::size_t side = 0; side < layouts; ++side) {
      const LabPatternFigures& pattern = page.figures.layouts[side].patterns[at];
      const UnitsOfCalls& units = is_write ? pattern.write_units : pattern.read_units;
      PlotBar bar{.values = std::vector<double>(layouts, 0)};
      bar.values[side] = units.mean;
      has_units = has_units || units.mean > 0;
      if (side == 0) bar.label = pattern.name;
      bar.value_text = pattern.IsImpossible()   ? "not possible"
                       : pattern.succeeded == 0 ? "no call succeeded"
                                                : NumberText(units.mean);
      bars.push_back(std::move(bar));
    }
    if (has_units) std::ranges::move(bars, std::back_inserter(plot.bars));
  }
  if (plot.bars.empty()) return;
  OpenFigure({.caption = what + ", mean", .note = {}}, html);
  WriteBarPlot(plot, html);
  CloseFigure(html);
}

FigureTable PatternTable(const LabLayoutFigures& layout) {
  FigureTable table{.caption = "Patterns in " + layout.name};
  table.columns = {{"Pattern", ColumnKind::kText},
                   {"Served", ColumnKind::kText},
                   {"Calls", ColumnKind::kNumber},
                   {"Requests a call", ColumnKind::kNumber},
                   {"Units a call", ColumnKind::kNumber},
                   {"their p99", ColumnKind::kNumber},
                   {"Throttled", ColumnKind::kNumber},
                   {"Failed", ColumnKind::kNumber},
                   {"US$ a month on demand", ColumnKind::kNumber}};
  for (const LabPatternFigures& pattern : layout.patterns) {
    table.rows.push_back(
        {pattern.name, pattern.plan ? ServiceText(*pattern.plan) : "",
         pattern.run ? CountText(pattern.run->calls) : "-",
         pattern.HasCalls() ? NumberText(pattern.requests_a_call) : "-", CallUnitsText(pattern),
         CallUnitsP99Text(pattern), pattern.HasCalls() ? PercentText(pattern.throttled_share) : "-",
         pattern.HasCalls() ? PercentText(pattern.failed_share) : "-", PatternMonthText(pattern)});
  }
  return table;
}

// --- Growth ---

// One plot for a pattern: a line for each layout over the scales that all layouts have.
void WriteGrowthOf(const LabPage& page, std::size_t pattern, HtmlWriter& html) {
  const std::vector<LabLayoutScales>& layouts = page.figures.scales;
  LinePlot plot{.text = {"Units a call by scale: " + page.file.patterns[pattern].name,
                         "One line for each layout; the table has the figures."}};
  std::size_t columns = layouts.front().scales.size();
  for (const LabLayoutScales& layout : layouts) columns = std::min(columns, layout.scales.size());
  for (std::size_t at = 0; at < columns; ++at) {
    plot.ticks.push_back({(static_cast<double>(at) + 0.5) / static_cast<double>(columns),
                          "× " + CountText(layouts.front().scales[at].scale)});
  }
  const auto is_known = [&](const LabScaleFigures& scale) { return scale.is_known[pattern]; };
  for (std::size_t at = 0; at < std::min(layouts.size(), kSeriesColours); ++at) {
    // A line has a value at each scale.
    if (!std::ranges::all_of(layouts[at].scales, is_known)) continue;
    plot.series.push_back(layouts[at].name);
    std::vector<double>& line = plot.lines.emplace_back();
    for (std::size_t column = 0; column < columns; ++column) {
      const LabScaleFigures& scale = layouts[at].scales[column];
      line.push_back(scale.read_units[pattern].mean + scale.write_units[pattern].mean);
    }
  }
  if (plot.series.empty()) return;
  OpenFigure({.caption = page.file.patterns[pattern].name + ": units a call",
              .note = "Read and write units together, on average. A layout of which they are not "
                      "known at each scale is in the table only."},
             html);
  WriteLinePlot(plot, html);
  CloseFigure(html);
}

FigureTable GrowthTable(const LabPage& page, const LabLayoutScales& layout) {
  FigureTable table{.caption = "Units a call in " + layout.name + ", by scale"};
  table.columns = {{"Pattern", ColumnKind::kText}};
  for (const LabScaleFigures& scale : layout.scales) {
    table.columns.push_back({"× " + CountText(scale.scale), ColumnKind::kNumber});
  }
  for (std::size_t at = 0; at < page.file.patterns.size(); ++at) {
    std::vector<std::string> row = {page.file.patterns[at].name};
    for (const LabScaleFigures& scale : layout.scales) {
      row.push_back(ScaleUnitsText(scale, at));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void WriteLayoutsSideBySide(const LabPage& page, HtmlWriter& html) {
  const LabFigures& figures = page.figures;
  FigureTable table{.caption = "The layouts side by side, with differences from the first"};
  table.columns = ColumnsOfLayouts(figures, "");
  table.columns.push_back({"Method", ColumnKind::kText});
  for (const LabLayoutRow& figure : LabLayoutRows()) {
    std::vector<std::string> row = {std::string(figure.name)};
    for (const LabLayoutFigures& layout : figures.layouts) {
      row.push_back(LayoutCell(figure, layout, figures.layouts.front()));
    }
    row.emplace_back(figure.method);
    table.rows.push_back(std::move(row));
  }
  WriteTable(table, html);
  for (const LabLayoutFigures& layout : figures.layouts) {
    if (!layout.month || layout.month->units_above_capacity <= 0) continue;
    html.Element("p",
                 layout.name + ": the declared capacity is less than the rates need, by " +
                     NumberText(layout.month->units_above_capacity) + " units a month.",
                 {{"class", "note"}});
  }
  WriteMonthPlot(page, html);
  WriteFirstLimitPlot(page, html);
}

void WriteUnitsOfPatterns(const LabPage& page, HtmlWriter& html) {
  WriteUnitsPlot(page, false, html);
  WriteUnitsPlot(page, true, html);
  for (const LabLayoutFigures& layout : page.figures.layouts) {
    WriteTable(PatternTable(layout), html);
  }
}

void WriteGrowth(const LabPage& page, HtmlWriter& html) {
  std::size_t shown = 0;
  for (std::size_t at = 0; at < page.file.patterns.size(); ++at) {
    if (!UnitsDifferByScale(page.figures, at)) continue;
    if (++shown <= kMostGrowing) WriteGrowthOf(page, at, html);
  }
  if (shown == 0) html.Element("p", "No pattern takes other units at another scale.");
  for (const LabLayoutScales& layout : page.figures.scales) {
    WriteTable(GrowthTable(page, layout), html);
  }
}

void WriteLimitsOfLayouts(const LabPage& page, HtmlWriter& html) {
  std::vector<std::string> sentences;
  for (const LabViolation& violation : page.violations) sentences.push_back(violation.sentence);
  if (!sentences.empty()) WriteList(sentences, html);
}

void WriteTrials(const LabPage& page, HtmlWriter& html) {
  FigureTable table{.caption = "Runs below and above the first limit"};
  table.columns = {{"Layout", ColumnKind::kText},   {"First limit", ColumnKind::kText},
                   {"Run at", ColumnKind::kNumber}, {"Throttled requests", ColumnKind::kNumber},
                   {"Where", ColumnKind::kText},    {"Confirmed", ColumnKind::kText}};
  for (const LabLayoutFigures& layout : page.figures.layouts) {
    const std::string limit = FirstDeclaredLimitText(layout);
    const std::string reason = NotConfirmedBecause(layout);
    const std::string confirmed = !layout.first_limit ? "-"
                                  : reason.empty()    ? "yes"
                                                      : "not confirmed: " + reason;
    if (layout.run->trials.empty())
      table.rows.push_back({layout.name, limit, "-", "-", "", confirmed});
    for (const LimitTrial& trial : layout.run->trials) {
      table.rows.push_back({layout.name, limit, NumberText(trial.multiple) + " ×",
                            PercentText(trial.throttled) + (trial.is_thinned ? ", thinned" : ""),
                            ThrottlePlaceText(trial.place), confirmed});
    }
  }
  WriteTable(table, html);
  for (const LabLayoutFigures& layout : page.figures.layouts) {
    const std::string early = EarlyThrottlesText(layout);
    if (!early.empty()) html.Element("p", early, {{"class", "note"}});
  }
}

void WriteLabNotes(const LabPage& page, HtmlWriter& html) {
  if (!page.figures.notes.empty()) WriteList(page.figures.notes, html);
}

}  // namespace hashrange
