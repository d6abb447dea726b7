// What the access patterns cost: in US$, and in units of tables and indexes.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "measure/number_text.h"
#include "measure/report/measure_sections.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostBars = 12;
// What fits on one line of a narrow screen.
constexpr std::size_t kMostLabelCharacters = 46;

// --- US$ by pattern ---

// Returns the bars of a pattern, one for each measurement.
std::vector<PlotBar> BarsOf(const ComparedPattern& row, ReportViews views) {
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

ReportFigure CostFigure(ReportViews views, const std::vector<ComparedPattern>& rows) {
  BarPlot plot;
  if (views.size() > 1) {
    for (const ReportView& view : views) plot.series.push_back(view.title);
  }
  for (std::size_t at = 0; at < std::min(rows.size(), kMostBars); ++at) {
    for (PlotBar& bar : BarsOf(rows[at], views)) plot.bars.push_back(std::move(bar));
  }
  ReportFigure figure{
      .caption = "What each pattern adds to a million calls of this mix, US$",
      .note =
          "Units that the answers reported, at list prices on demand. A pattern is dear because "
          "a call of it is, or because it is called often: the table has both.",
      .title = "What each pattern adds to a million calls, US$",
      .description = "One bar for each access pattern; the table below has the same figures.",
      .plot = std::move(plot)};
  if (rows.size() > kMostBars) {
    figure.note += " " + CountText(rows.size() - kMostBars) + " more are in the table only.";
  }
  return figure;
}

// Returns what the calls ask for; of several patterns of one name, what the first does.
std::string RequestOf(const PatternFigures& figures) {
  const std::size_t others = figures.ids.size() - 1;
  if (others == 0) return figures.pattern->text;
  return figures.pattern->text + " (and " +
         CountedText(static_cast<double>(others), "other pattern") + " of this name)";
}

void AddMonth(const ReportView& view, ReportParts& parts) {
  const ReportedMonth& month = view.input->month;
  if (month.basis.empty()) return;
  parts.push_back(ReportHeading{view.Caption("A month")});
  parts.push_back(ReportParagraph{MonthText(month) + "."});
  if (month.lines.empty()) return;
  ReportTable table{.caption =
                        "A month as the tables are now, US$ " + AmountText(view.mix.month_usd)};
  table.columns = {{"What", ColumnKind::kText},    {"Table or index", ColumnKind::kText},
                   {"Billing", ColumnKind::kText}, {"Quantity"},
                   {"Unit", ColumnKind::kText},    {"US$"},
                   {"Method", ColumnKind::kText}};
  for (const ReportedCostLine& line : month.lines) {
    table.rows.push_back({line.what, ResourceLabel(line.table, line.index), line.billing,
                          NumberText(line.quantity), line.unit, AmountText(line.usd), line.method});
  }
  parts.push_back(std::move(table));
}

// --- Units by table and index ---

using UnitsByLabel = std::vector<std::pair<std::string, double>>;

bool HasLabel(const UnitsByLabel& totals, const std::string& label) {
  return std::ranges::count(totals, label, &UnitsByLabel::value_type::first) > 0;
}

void AddUnitsOf(const std::string& label, double units, UnitsByLabel* totals) {
  const auto at = std::ranges::find(*totals, label, &UnitsByLabel::value_type::first);
  if (at != totals->end()) {
    at->second += units;
  } else if (units > 0) {
    totals->emplace_back(label, units);
  }
}

// Returns the units of each table and index that took part in the calls: first those that the
// measurements list, in their order, then what else the patterns name.
UnitsByLabel UnitsOfResources(ReportViews views) {
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
        if (HasLabel(listed, label)) continue;
        AddUnitsOf(label, units.read_units + units.write_units, &unlisted);
      }
    }
  }
  listed.insert(listed.end(), unlisted.begin(), unlisted.end());
  return listed;
}

// The tables and indexes that took part in the calls, those with the most units; those beyond the
// colours are one series.
std::vector<std::string> SeriesOfResources(ReportViews views) {
  const UnitsByLabel totals = UnitsOfResources(views);
  std::vector<std::string> series;
  const std::size_t kept = totals.size() > kSeriesColours ? kSeriesColours - 1 : totals.size();
  UnitsByLabel by_units = totals;
  StableSort(by_units, std::greater<>{}, &UnitsByLabel::value_type::second);
  by_units.resize(kept);
  for (const auto& [label, units] : totals) {
    if (HasLabel(by_units, label)) series.push_back(label);
  }
  if (kept < totals.size()) series.emplace_back("others");
  return series;
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
    values[place] +=
        (is_write ? units.write_units : units.read_units) / static_cast<double>(figures.calls);
  }
  return values;
}

struct UnitsBar {
  PlotBar bar = {};
  std::string row_name = {};
  double total = 0;
};

// The patterns of all measurements that read (or write), the dearest first.
std::vector<UnitsBar> UnitsBars(ReportViews views, bool is_write,
                                const std::vector<std::string>& series) {
  std::vector<UnitsBar> bars;
  for (const ComparedPattern& row : ComparePatterns(views)) {
    for (std::size_t at = 0; at < views.size(); ++at) {
      const std::optional<ComparedFigures>& figures = row.figures[at];
      if (!figures) continue;
      const double total = is_write ? figures->write_units_a_call : figures->read_units_a_call;
      if (total <= 0) continue;
      const std::string name = views[at].Caption(row.label);
      bars.push_back({{ClippedText(name, kMostLabelCharacters),
                       UnitsBySeries(*figures, is_write, series), NumberText(total)},
                      name,
                      total});
    }
  }
  if (views.size() == 1) {
    StableSort(bars, std::greater<>{}, &UnitsBar::total);
  }
  return bars;
}

void AddUnitsFigure(ReportViews views, bool is_write, const std::vector<std::string>& series,
                    ReportParts& parts) {
  const std::vector<UnitsBar> bars = UnitsBars(views, is_write, series);
  if (bars.empty()) return;
  const std::string what = is_write ? "Write units a call" : "Read units a call";
  BarPlot plot{.series = series, .cuts_outlier = true};
  ReportTable table{.columns = {{"Pattern", ColumnKind::kText}}};
  for (const std::string& name : series) table.columns.push_back({name});
  table.columns.push_back({"All"});
  for (const UnitsBar& bar : bars) {
    if (plot.bars.size() < kMostBars * views.size()) plot.bars.push_back(bar.bar);
    std::vector<std::string> row = {bar.row_name};
    for (const double value : bar.bar.values) row.push_back(NumberText(value));
    row.push_back(NumberText(bar.total));
    table.rows.push_back(std::move(row));
  }
  parts.push_back(
      ReportFigure{.caption = what,
                   .title = what + ", by pattern",
                   .description = "Stacked bars: the parts of the table and of each index.",
                   .plot = std::move(plot),
                   .details = std::move(table)});
}

}  // namespace

ReportTable PatternTable(const ReportView& view) {
  constexpr auto kNumber = ColumnKind::kNumber;
  ReportTable table{
      .caption = "Access patterns, by what they add to the cost", .most_lines = 4, .most_rows = 10};
  table.columns = {{"", ColumnKind::kText, {}, ShownIn::kTerminal},
                   {"Pattern", ColumnKind::kText, {}, ShownIn::kPage},
                   {"Share of cost", kNumber, "cost"},
                   {"US$ per million", kNumber, "US$/M"},
                   {"Calls", kNumber, "calls"},
                   {"Read units a call", kNumber, "RU/call"},
                   {"their p99", kNumber, "p99"},
                   {"Write units a call", kNumber, "WU/call"},
                   {"their p99", kNumber, "p99"},
                   {"Examined for one returned", kNumber, "exam/ret"},
                   {"What it asks for", ColumnKind::kCode, {}, ShownIn::kPage}};
  const bool has_vectors = std::ranges::any_of(view.patterns, [](const PatternFigures& figures) {
    return figures.vector_bytes_searched_a_call + figures.vector_bytes_written_a_call > 0;
  });
  if (has_vectors) {
    table.columns.push_back({"Vectors searched a call", kNumber, "searched"});
    table.columns.push_back({"Vectors written a call", kNumber, "vectors"});
  }
  for (const PatternFigures& figures : view.patterns) {
    const PatternMeasure& pattern = *figures.pattern;
    table.rows.push_back(
        {figures.label, pattern.name.empty() ? pattern.operation : pattern.name,
         ShareText(figures.share_of_cost), AmountText(figures.usd_per_million),
         CountText(pattern.calls), NumberText(figures.read_units_a_call),
         NumberText(pattern.call.read_units.Percentile(0.99)),
         NumberText(figures.write_units_a_call),
         NumberText(pattern.call.write_units.Percentile(0.99)),
         figures.examined_per_returned < 0 ? "-" : NumberText(figures.examined_per_returned),
         RequestOf(figures)});
    if (!has_vectors) continue;
    table.rows.back().push_back(BytesText(figures.vector_bytes_searched_a_call));
    table.rows.back().push_back(BytesText(figures.vector_bytes_written_a_call));
  }
  return table;
}

ReportTable ResourceTable(const ReportView& view) {
  constexpr auto kNumber = ColumnKind::kNumber;
  ReportTable table{.caption = view.Caption("Units and sizes of tables and indexes"),
                    .most_rows = 8};
  table.columns = {{"Table or index", ColumnKind::kText, ""},
                   {"Read units", kNumber, "read units"},
                   {"a call of the mix", kNumber, {}, ShownIn::kPage},
                   {"Write units", kNumber, "write units"},
                   {"a call of the mix", kNumber, {}, ShownIn::kPage},
                   {"Items", kNumber, "items"},
                   {"Size", kNumber, "size"},
                   {"hottest key", kNumber, {}, ShownIn::kTerminal}};
  for (const ResourceFigures& resource : view.resources) {
    const double share = resource.hottest_key_share;
    table.rows.push_back({resource.label, NumberText(resource.read_units),
                          NumberText(resource.read_units_a_call), NumberText(resource.write_units),
                          NumberText(resource.write_units_a_call), ItemsText(resource),
                          SizeText(resource), share > 0 ? ShareText(share) : "-"});
  }
  return table;
}

ReportTable ComparedPatternTable(ReportViews views) {
  ReportTable table =
      TableOfViews(views, "Pattern", "US$ per million calls, with differences from the first");
  table.most_rows = 16;
  for (const ComparedPattern& row : ComparePatterns(views)) {
    std::vector<std::string> cells = {row.label};
    const std::optional<ComparedFigures>& first = row.figures.front();
    for (const std::optional<ComparedFigures>& figures : row.figures) {
      std::string text = figures ? AmountText(figures->usd_per_million) : "-";
      if (figures && first && &figures != &first) {
        text += " (" + ChangeText(figures->usd_per_million, first->usd_per_million) + ")";
      }
      cells.push_back(std::move(text));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportParts CostByPattern(ReportViews views) {
  const std::vector<ComparedPattern> rows = ComparePatterns(views);
  if (rows.empty()) return {};
  ReportParts parts = {CostFigure(views, rows)};
  if (views.size() > 1) parts.push_back(ComparedPatternTable(views));
  for (const ReportView& view : views) {
    if (view.is_one_of_several) parts.push_back(ReportHeading{view.title});
    parts.push_back(PatternTable(view));
  }
  for (const ReportView& view : views) AddMonth(view, parts);
  return parts;
}

ReportParts UnitsOfCalls(ReportViews views) {
  const std::vector<std::string> series = SeriesOfResources(views);
  if (series.empty()) return {};
  ReportParts parts;
  AddUnitsFigure(views, true, series, parts);
  AddUnitsFigure(views, false, series, parts);
  for (const ReportView& view : views) parts.push_back(ResourceTable(view));
  return parts;
}

}  // namespace hashrange
