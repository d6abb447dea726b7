#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/readable_text.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostBars = 12;
// What fits on one line of a narrow screen.
constexpr std::size_t kMostLabelCharacters = 46;

// Returns the bars of a pattern, one for each measurement.
std::vector<PlotBar> BarsOf(const ComparedPattern& row, std::span<const ReportView> views) {
  std::vector<PlotBar> bars;
  for (std::size_t at = 0; at < views.size(); ++at) {
    const std::optional<ComparedFigures>& figures = row.figures[at];
    PlotBar bar;
    if (at == 0) bar.label = ClippedText(row.label, kMostLabelCharacters);
    bar.values.assign(views.size(), 0);
    bar.value_text = "no such call";
    if (figures) {
      bar.values[at] = figures->usd_of_mix;
      bar.value_text =
          AmountText(figures->usd_of_mix) + "  (" + ShareText(figures->share_of_cost) + ")";
    }
    bars.push_back(std::move(bar));
  }
  return bars;
}

void WriteCostFigure(std::span<const ReportView> views, const std::vector<ComparedPattern>& rows,
                     HtmlWriter& html) {
  BarPlot plot{.text = {"What each pattern adds to a million calls, US$",
                        "One bar for each access pattern; the table below has the same figures."}};
  if (views.size() > 1) {
    for (const ReportView& view : views) plot.series.push_back(view.title);
  }
  for (std::size_t at = 0; at < std::min(rows.size(), kMostBars); ++at) {
    for (PlotBar& bar : BarsOf(rows[at], views)) plot.bars.push_back(std::move(bar));
  }
  FigureHead head{.caption = "What each pattern adds to a million calls of this mix, US$",
                  .note =
                      "Units that the answers reported, at list prices on demand. A pattern is "
                      "dear because a call of it is, or because it is called often: the table "
                      "has both."};
  if (rows.size() > kMostBars) {
    head.note += " " + CountText(rows.size() - kMostBars) + " more are in the table only.";
  }
  OpenFigure(head, html);
  WriteBarPlot(plot, html);
  CloseFigure(html);
}

std::string ExaminedText(const PatternFigures& figures) {
  return figures.examined_per_returned < 0 ? "" : NumberText(figures.examined_per_returned);
}

// Returns what the calls ask for; of several patterns of one name, what the first does.
std::string TextOf(const PatternFigures& figures) {
  const std::size_t others = figures.ids.size() - 1;
  if (others == 0) return figures.pattern->text;
  return figures.pattern->text + " (and " +
         CountedText(static_cast<double>(others), "other pattern") + " of this name)";
}

FigureTable PatternTable(const ReportView& view) {
  FigureTable table{.caption = "Access patterns, by what they add to the cost"};
  table.columns = {{"Pattern", ColumnKind::kText},
                   {"Share of cost", ColumnKind::kNumber},
                   {"US$ per million", ColumnKind::kNumber},
                   {"Calls", ColumnKind::kNumber},
                   {"Read units a call", ColumnKind::kNumber},
                   {"their p99", ColumnKind::kNumber},
                   {"Write units a call", ColumnKind::kNumber},
                   {"their p99", ColumnKind::kNumber},
                   {"Examined for one returned", ColumnKind::kNumber},
                   {"What it asks for", ColumnKind::kCode}};
  for (const PatternFigures& figures : view.patterns) {
    const PatternMeasure& pattern = *figures.pattern;
    table.rows.push_back({pattern.name.empty() ? pattern.operation : pattern.name,
                          ShareText(figures.share_of_cost), AmountText(figures.usd_per_million),
                          CountText(pattern.calls), NumberText(figures.read_units_a_call),
                          NumberText(pattern.call.read_units.Percentile(0.99)),
                          NumberText(figures.write_units_a_call),
                          NumberText(pattern.call.write_units.Percentile(0.99)),
                          ExaminedText(figures), TextOf(figures)});
  }
  return table;
}

FigureTable ComparedTable(std::span<const ReportView> views,
                          const std::vector<ComparedPattern>& rows) {
  FigureTable table{.caption = "US$ per million calls, with differences from the first"};
  table.columns.push_back({"Pattern", ColumnKind::kText});
  for (const ReportView& view : views) table.columns.push_back({view.title, ColumnKind::kNumber});
  for (const ComparedPattern& row : rows) {
    std::vector<std::string> cells = {row.label};
    const std::optional<ComparedFigures>& first = row.figures.front();
    for (const std::optional<ComparedFigures>& figures : row.figures) {
      std::string text = figures ? AmountText(figures->usd_per_million) : "no such call";
      if (figures && first && &figures != &first) {
        text += " (" + ChangeText(figures->usd_per_million, first->usd_per_million) + ")";
      }
      cells.push_back(std::move(text));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void WriteMonth(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html) {
  const ReportedMonth& month = view.input->month;
  if (month.basis.empty()) return;
  html.Element("h3", CaptionOf(views, view, "A month"));
  html.Element("p", MonthText(month) + ".");
  if (month.lines.empty()) return;
  FigureTable table{.caption =
                        "A month as the tables are now, US$ " + AmountText(view.mix.month_usd)};
  table.columns = {{"What", ColumnKind::kText},    {"Table or index", ColumnKind::kText},
                   {"Billing", ColumnKind::kText}, {"Quantity", ColumnKind::kNumber},
                   {"Unit", ColumnKind::kText},    {"US$", ColumnKind::kNumber},
                   {"Method", ColumnKind::kText}};
  for (const ReportedCostLine& line : month.lines) {
    table.rows.push_back({line.what, ResourceLabel(line.table, line.index), line.billing,
                          NumberText(line.quantity), line.unit, AmountText(line.usd), line.method});
  }
  WriteTable(table, html);
}

using UnitsByLabel = std::vector<std::pair<std::string, double>>;

void AddUnitsOf(const std::string& label, double units, UnitsByLabel* totals) {
  const auto at = std::ranges::find(*totals, label, &std::pair<std::string, double>::first);
  if (at != totals->end()) {
    at->second += units;
  } else if (units > 0) {
    totals->emplace_back(label, units);
  }
}

// Returns the units of each table and index that took part in the calls: first those that the
// measurements list, in their order, then what else the patterns name.
UnitsByLabel UnitsOfResources(std::span<const ReportView> views) {
  UnitsByLabel listed;
  for (const ReportView& view : views) {
    for (const ResourceFigures& resource : view.resources) {
      AddUnitsOf(resource.label, resource.read_units + resource.write_units, &listed);
    }
  }
  UnitsByLabel unlisted;
  for (const ReportView& view : views) {
    for (const PatternMeasure& pattern : view.measurement().patterns) {
      for (const ResourceUnits& units : pattern.units) {
        const std::string label = ResourceLabel(units.table, units.index);
        const bool is_listed =
            std::ranges::find(listed, label, &std::pair<std::string, double>::first) !=
            listed.end();
        if (!is_listed) AddUnitsOf(label, units.read_units + units.write_units, &unlisted);
      }
    }
  }
  listed.insert(listed.end(), unlisted.begin(), unlisted.end());
  return listed;
}

// The tables and indexes that took part in the calls, those with the most units; those beyond the
// colours are one series.
std::vector<std::string> SeriesOfResources(std::span<const ReportView> views) {
  const UnitsByLabel totals = UnitsOfResources(views);
  std::vector<std::string> series;
  const std::size_t kept = totals.size() > kSeriesColours ? kSeriesColours - 1 : totals.size();
  UnitsByLabel by_units = totals;
  std::ranges::stable_sort(by_units, std::greater<>{}, &std::pair<std::string, double>::second);
  by_units.resize(kept);
  for (const auto& [label, units] : totals) {
    const bool is_kept =
        std::ranges::find(by_units, label, &std::pair<std::string, double>::first) !=
        by_units.end();
    if (is_kept) series.push_back(label);
  }
  if (kept < totals.size()) series.emplace_back("others");
  return series;
}

double UnitsOf(const ResourceUnits& units, bool is_write) {
  return is_write ? units.write_units : units.read_units;
}

// Returns the units a call of a pattern, by series.
std::vector<double> UnitsBySeries(const ComparedFigures& figures, bool is_write,
                                  const std::vector<std::string>& series) {
  std::vector<double> values(series.size(), 0);
  if (figures.calls == 0) return values;
  for (const ResourceUnits& units : figures.units) {
    const auto at = std::ranges::find(series, ResourceLabel(units.table, units.index));
    const std::size_t place =
        at == series.end() ? series.size() - 1 : static_cast<std::size_t>(at - series.begin());
    values[place] += UnitsOf(units, is_write) / static_cast<double>(figures.calls);
  }
  return values;
}

struct UnitsBar {
  PlotBar bar = {};
  std::string row_name = {};
  double total = 0;
};

// The patterns of all measurements that read (or write), the dearest first.
std::vector<UnitsBar> UnitsBars(std::span<const ReportView> views, bool is_write,
                                const std::vector<std::string>& series) {
  std::vector<UnitsBar> bars;
  for (const ComparedPattern& row : ComparePatterns(views)) {
    for (std::size_t at = 0; at < views.size(); ++at) {
      const std::optional<ComparedFigures>& figures = row.figures[at];
      if (!figures) continue;
      const double total = is_write ? figures->write_units_a_call : figures->read_units_a_call;
      if (total <= 0) continue;
      const std::string name = CaptionOf(views, views[at], row.label);
      bars.push_back({{ClippedText(name, kMostLabelCharacters),
                       UnitsBySeries(*figures, is_write, series), NumberText(total)},
                      name,
                      total});
    }
  }
  if (views.size() == 1) {
    std::ranges::stable_sort(bars, std::greater<>{}, &UnitsBar::total);
  }
  return bars;
}

void WriteUnitsFigure(std::span<const ReportView> views, bool is_write,
                      const std::vector<std::string>& series, HtmlWriter& html) {
  const std::vector<UnitsBar> bars = UnitsBars(views, is_write, series);
  if (bars.empty()) return;
  const std::string what = is_write ? "Write units a call" : "Read units a call";
  BarPlot plot{
      .text = {what + ", by pattern", "Stacked bars: the parts of the table and of each index."},
      .series = series,
      .cuts_outlier = true};
  FigureTable table{.caption = what};
  table.columns.push_back({"Pattern", ColumnKind::kText});
  for (const std::string& name : series) table.columns.push_back({name, ColumnKind::kNumber});
  table.columns.push_back({"All", ColumnKind::kNumber});
  for (const UnitsBar& bar : bars) {
    if (plot.bars.size() < kMostBars * views.size()) plot.bars.push_back(bar.bar);
    std::vector<std::string> row = {bar.row_name};
    for (const double value : bar.bar.values) row.push_back(NumberText(value));
    row.push_back(NumberText(bar.total));
    table.rows.push_back(std::move(row));
  }
  OpenFigure({.caption = what, .note = {}}, html);
  WriteBarPlot(plot, html);
  WriteDetails(table, html);
  CloseFigure(html);
}

FigureTable ResourceTable(const ReportView& view, const std::string& caption) {
  FigureTable table{.caption = caption};
  table.columns = {{"Table or index", ColumnKind::kText},
                   {"Read units", ColumnKind::kNumber},
                   {"a call of the mix", ColumnKind::kNumber},
                   {"Write units", ColumnKind::kNumber},
                   {"a call of the mix", ColumnKind::kNumber},
                   {"Items", ColumnKind::kNumber},
                   {"Size", ColumnKind::kNumber}};
  for (const ResourceFigures& resource : view.resources) {
    table.rows.push_back({resource.label, NumberText(resource.read_units),
                          NumberText(resource.read_units_a_call), NumberText(resource.write_units),
                          NumberText(resource.write_units_a_call), ItemsText(resource),
                          SizeText(resource)});
  }
  return table;
}

}  // namespace

void WriteCostByPattern(std::span<const ReportView> views, HtmlWriter& html) {
  const std::vector<ComparedPattern> rows = ComparePatterns(views);
  if (rows.empty()) return;
  WriteCostFigure(views, rows, html);
  if (views.size() > 1) WriteTable(ComparedTable(views, rows), html);
  for (const ReportView& view : views) {
    WriteViewTitle(views, view, html);
    WriteTable(PatternTable(view), html);
  }
  for (const ReportView& view : views) WriteMonth(views, view, html);
}

void WriteUnitsOfCalls(std::span<const ReportView> views, HtmlWriter& html) {
  const std::vector<std::string> series = SeriesOfResources(views);
  if (series.empty()) return;
  WriteUnitsFigure(views, true, series, html);
  WriteUnitsFigure(views, false, series, html);
  for (const ReportView& view : views) {
    WriteTable(ResourceTable(view, CaptionOf(views, view, "Units and sizes of tables and indexes")),
               html);
  }
}

}  // namespace hashrange
