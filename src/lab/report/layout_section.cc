// How the layouts of a lab compare: as wholes, by pattern, as the data grow, at their first limits.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/stable_sort.h"
#include "lab/report/lab_sections.h"
#include "lab/report/lab_sentences.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/terminal_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostPlottedPatterns = 20;
constexpr std::size_t kMostGrowthPlots = 12;
constexpr std::size_t kMostTerminalPatterns = 24;

// --- Side by side ---

std::string MonthCell(const LabLayoutFigures& layout, double LabMonth::*usd) {
  if (!layout.month) return "-";
  std::string text = AmountText(layout.month.value().*usd);
  return layout.HasWholeMonth() ? text : text.append(kMissingInMonth);
}

std::string ShareCell(const LabLayoutFigures& layout, double share) {
  return layout.requests == 0 ? "-" : PercentText(share);
}

// A run that was stopped while its tables were filled was not measured.
std::string StoredCell(const LabLayoutFigures& layout, double bytes) {
  return layout.run->measurement.tables.empty() ? "-" : BytesText(bytes);
}

std::string MultipleCell(const DeclaredLimit& limit) {
  return NumberText(limit.multiple) + " ×" +
         (limit.not_confirmed_because.empty() ? "" : " computed");
}

// A figure by which layouts are compared as wholes.
struct LayoutRow {
  std::string_view name;
  std::string_view method;  // "measured", "modelled"
  std::string (*text)(const LabLayoutFigures&);
  double (*value)(const LabLayoutFigures&);  // null: a difference says nothing
  // Whether the row is shown, because of this layout; null: it always is.
  bool (*is_shown)(const LabLayoutFigures&) = nullptr;
};

constexpr LayoutRow kLayoutRows[] = {
    {"US$ a month, after free tier", "modelled",
     [](const LabLayoutFigures& layout) { return MonthCell(layout, &LabMonth::usd); },
     [](const LabLayoutFigures& layout) { return layout.month ? layout.month->usd : 0; }},
    {"  if all tables were on demand", "modelled",
     [](const LabLayoutFigures& layout) { return MonthCell(layout, &LabMonth::on_demand_usd); },
     [](const LabLayoutFigures& layout) { return layout.month ? layout.month->on_demand_usd : 0; }},
    {"first limit, × declared rates", "modelled",
     [](const LabLayoutFigures& layout) {
       return layout.first_limit ? MultipleCell(*layout.first_limit) : "-";
     },
     [](const LabLayoutFigures& layout) {
       return layout.first_limit ? layout.first_limit->multiple : 0;
     }},
    {"  of keys and items", "modelled",
     [](const LabLayoutFigures& layout) {
       return layout.key_limit ? NumberText(layout.key_limit->multiple) + " ×" : "-";
     },
     [](const LabLayoutFigures& layout) {
       return layout.key_limit ? layout.key_limit->multiple : 0;
     },
     [](const LabLayoutFigures& layout) {
       return layout.first_limit && layout.first_limit->multiple < HeadroomOf(layout);
     }},
    {"round trips a call", "measured",
     [](const LabLayoutFigures& layout) {
       const double trips = RoundTripsOf(layout);
       return trips > 0 ? NumberText(trips) : "-";
     },
     RoundTripsOf},
    {"indexes", "", [](const LabLayoutFigures& layout) { return CountText(layout.indexes); },
     nullptr},
    {"throttled requests of the run", "modelled",
     [](const LabLayoutFigures& layout) { return ShareCell(layout, layout.throttled_share); },
     nullptr},
    {"failed calls of the run", "measured",
     [](const LabLayoutFigures& layout) { return ShareCell(layout, layout.failed_share); },
     nullptr},
    {"wrong answers of the run", "measured",
     [](const LabLayoutFigures& layout) {
       const bool is_known = layout.wrong.is_known || layout.KeepsEveryItem();
       return layout.requests > 0 && is_known ? WrongShareText(layout.wrong) : "-";
     },
     nullptr, [](const LabLayoutFigures& layout) { return !layout.KeepsEveryItem(); }},
    {"stored", "measured",
     [](const LabLayoutFigures& layout) { return StoredCell(layout, layout.StoredBytes()); },
     [](const LabLayoutFigures& layout) { return layout.StoredBytes(); }},
    {"  of this, in indexes", "measured",
     [](const LabLayoutFigures& layout) { return StoredCell(layout, layout.index_bytes); },
     [](const LabLayoutFigures& layout) { return layout.index_bytes; }},
    {"largest item collection", "measured",
     [](const LabLayoutFigures& layout) {
       return layout.largest_collection ? BytesText(layout.largest_collection->size_bytes) : "-";
     },
     [](const LabLayoutFigures& layout) {
       return layout.largest_collection ? layout.largest_collection->size_bytes : 0;
     }},
    {"findings: severe, warning, hint", "",
     [](const LabLayoutFigures& layout) {
       return CountText(layout.FindingCount("severe")) + ", " +
              CountText(layout.FindingCount("warning")) + ", " +
              CountText(layout.FindingCount("hint"));
     },
     nullptr},
};

// What the choice says of a layout, in a word.
std::string VerdictWord(const LayoutChoice& choice, std::size_t layout) {
  constexpr std::string_view kFlaws[kLayoutFlaws] = {
      "not possible",    "fails",         "wrong answers", "overloaded",
      "breaks limits",   "breaks rules",  "no known cost", "no known cost",
      "little headroom", "grows too far", "scans"};
  if (layout == choice.layout) return "taken";
  if (const auto& flaw = choice.left_out_for[layout]) {
    return std::string(kFlaws[static_cast<std::size_t>(*flaw)]);
  }
  return choice.dominated_by[layout] ? "better in nothing" : "possible";
}

bool IsKnown(const std::string& text) { return text != "-" && !text.ends_with(kMissingInMonth); }

// Returns the figure with its difference from the first layout: "288.10 (-30 %)".
std::string LayoutCell(const LayoutRow& row, const LabLayoutFigures& layout,
                       const LabLayoutFigures& first) {
  std::string text = row.text(layout);
  if (&layout == &first || !row.value || !IsKnown(text) || !IsKnown(row.text(first))) return text;
  return text + " (" + ChangeText(row.value(layout), row.value(first)) + ")";
}

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
  StableSort(sums);
  if (sums.size() >= kSeriesColours) sums.resize(kSeriesColours - 1);
  std::vector<std::size_t> patterns;
  for (const auto& [sum, at] : sums) patterns.push_back(at);
  return patterns;
}

void AddMonthFigure(const LabView& view, ReportParts& parts) {
  const std::vector<std::size_t> dearest = DearestPatterns(view.figures);
  if (dearest.empty()) return;
  BarPlot plot;
  for (const std::size_t at : dearest) plot.series.push_back(view.file.patterns[at].name);
  plot.series.emplace_back("others");
  for (std::size_t number = 0; number < view.figures.layouts.size(); ++number) {
    const LabLayoutFigures& layout = view.figures.layouts[number];
    PlotBar bar{.label = MarkedName(view, number)};
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
  parts.push_back(
      ReportFigure{.caption = "What the calls of a month cost on demand, US$",
                   .method = "modelled",
                   .note = "The declared rates at every hour; storage is not in these bars.",
                   .title = "US$ a month on demand, by layout and pattern",
                   .description = "One bar for each layout, divided by pattern; the table of "
                                  "patterns has the figures.",
                   .plot = std::move(plot)});
}

void AddFirstLimitFigure(const LabView& view, ReportParts& parts) {
  BarPlot plot{.cuts_outlier = true};
  for (std::size_t at = 0; at < view.figures.layouts.size(); ++at) {
    const LabLayoutFigures& layout = view.figures.layouts[at];
    if (!layout.first_limit || !std::isfinite(layout.first_limit->multiple)) continue;
    plot.bars.push_back(
        {.label = MarkedName(view, at) + ": " + LimitPlaceText(layout.first_limit->row),
         .values = {layout.first_limit->multiple},
         .value_text = MultipleCell(*layout.first_limit)});
  }
  if (plot.bars.empty()) return;
  parts.push_back(ReportFigure{
      .caption = "First limit, as a multiple of the declared rates",
      .method = "modelled",
      .note = "For tables that are warm. Trials confirm what is not marked as computed.",
      .title = "First limit of each layout, as a multiple of the declared rates",
      .description = "One bar for each layout. Below 1, the layout does not carry the rates.",
      .plot = std::move(plot)});
}

// --- Units by pattern ---

void AddUnitsPlot(const LabView& view, bool is_write, ReportParts& parts) {
  const std::vector<LabLayoutFigures>& layouts = view.figures.layouts;
  BarPlot plot{.cuts_outlier = true};
  if (layouts.size() > 1) {
    for (const LabLayoutFigures& layout : layouts) plot.series.push_back(layout.name);
  }
  for (std::size_t at = 0; at < view.file.patterns.size(); ++at) {
    if (plot.bars.size() >= kMostPlottedPatterns * layouts.size()) break;
    bool has_units = false;
    std::vector<PlotBar> bars;
    for (std::size_t side = 0; side < layouts.size(); ++side) {
      const LabPatternFigures& pattern = layouts[side].patterns[at];
      const UnitsOfCalls& units = is_write ? pattern.write_units : pattern.read_units;
      PlotBar bar{.values = std::vector<double>(layouts.size(), 0)};
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
  const std::string what = is_write ? "Write units a call" : "Read units a call";
  parts.push_back(ReportFigure{
      .caption = what + ", mean",
      .title = what + ", by pattern and layout",
      .description = "For each pattern one bar for each layout; the table has the figures.",
      .plot = std::move(plot)});
}

ReportTable TableOfPatterns(const LabLayoutFigures& layout) {
  ReportTable table{.caption = "Patterns in " + layout.name,
                    .columns = {{"Pattern", ColumnKind::kText},
                                {"Served", ColumnKind::kText},
                                {"Calls"},
                                {"Requests a call"},
                                {"their p99"},
                                {"Units a call"},
                                {"their p99"},
                                {"Throttled"},
                                {"Failed"},
                                {"US$ a month on demand"}}};
  for (const LabPatternFigures& pattern : layout.patterns) {
    const bool has_calls = pattern.HasCalls();
    table.rows.push_back(
        {pattern.name, pattern.plan ? ServiceText(*pattern.plan) : "",
         pattern.run ? CountText(pattern.run->calls) : "-",
         has_calls ? NumberText(pattern.requests_a_call) : "-",
         pattern.succeeded > 0 ? NumberText(pattern.requests_p99) : "-", CallUnitsText(pattern),
         CallUnitsP99Text(pattern), has_calls ? PercentText(pattern.throttled_share) : "-",
         has_calls ? PercentText(pattern.failed_share) : "-", PatternMonthText(pattern)});
  }
  return table;
}

// The patterns with the first `layouts` side by side, for a terminal.
ReportTable ShortPatternTable(const LabView& view, std::size_t layouts, bool has_p99) {
  constexpr std::size_t kMostTitleCharacters = 16;
  ReportTable table{.columns = {{"", ColumnKind::kText}, {"calls/s"}},
                    .most_lines = 2,
                    .most_rows = kMostTerminalPatterns,
                    .more_place = ", which --html and --json have",
                    .group_columns = has_p99 ? 3u : 2u,
                    .repeated_columns = 2};
  for (const LabPattern& pattern : view.file.patterns) {
    const double rate = pattern.calls_per_second;
    table.rows.push_back({pattern.name, rate >= 0 ? NumberText(rate) : "-"});
  }
  for (std::size_t side = 0; side < layouts; ++side) {
    const LabLayoutFigures& layout = view.figures.layouts[side];
    table.columns.push_back({ClippedText(layout.name, kMostTitleCharacters)});
    if (has_p99) table.columns.push_back({"p99"});
    table.columns.push_back({"US$/mo"});
    for (std::size_t at = 0; at < table.rows.size(); ++at) {
      const LabPatternFigures& pattern = layout.patterns[at];
      table.rows[at].push_back(CallUnitsText(pattern));
      if (has_p99) table.rows[at].push_back(CallUnitsP99Text(pattern));
      table.rows[at].push_back(PatternMonthText(pattern));
    }
  }
  return table;
}

// --- Growth ---

std::vector<std::size_t> GrowingPatterns(const LabView& view) {
  std::vector<std::size_t> growing;
  for (std::size_t at = 0; at < view.file.patterns.size(); ++at) {
    if (UnitsDifferByScale(view.figures, at)) growing.push_back(at);
  }
  return growing;
}

// One plot for a pattern: a line for each layout over the scales that all layouts have.
void AddGrowthFigure(const LabView& view, std::size_t pattern, ReportParts& parts) {
  const std::vector<LabLayoutScales>& layouts = view.figures.scales;
  const std::string& name = view.file.patterns[pattern].name;
  LinePlot plot;
  std::size_t columns = layouts.front().scales.size();
  for (const LabLayoutScales& layout : layouts) columns = std::min(columns, layout.scales.size());
  for (std::size_t at = 0; at < columns; ++at) {
    plot.ticks.push_back({(static_cast<double>(at) + 0.5) / static_cast<double>(columns),
                          "× " + CountText(layouts.front().scales[at].scale)});
  }
  const auto is_known = [&](const LabScaleFigures& scale) {
    return scale.patterns[pattern].succeeded > 0;
  };
  for (std::size_t at = 0; at < std::min(layouts.size(), kSeriesColours); ++at) {
    // A line has a value at each scale.
    if (!std::ranges::all_of(layouts[at].scales, is_known)) continue;
    plot.series.push_back(layouts[at].name);
    std::vector<double>& line = plot.lines.emplace_back();
    for (std::size_t column = 0; column < columns; ++column) {
      const LabPatternFigures& figures = layouts[at].scales[column].patterns[pattern];
      line.push_back(figures.read_units.mean + figures.write_units.mean);
    }
  }
  if (plot.series.empty()) return;
  parts.push_back(
      ReportFigure{.caption = name + ": units a call",
                   .note = "Read and write units together, on average. A layout of which they are "
                           "not known at each scale is in the table only.",
                   .title = "Units a call by scale: " + name,
                   .description = "One line for each layout; the table has the figures.",
                   .plot = std::move(plot)});
}

ReportTable GrowthTable(const LabView& view, const LabLayoutScales& layout,
                        const std::vector<std::size_t>& patterns) {
  ReportTable table{.caption = "Units a call in " + layout.name + ", by scale"};
  table.columns = {{"Pattern", ColumnKind::kText, ShortLayoutName(layout.name)}};
  for (const LabScaleFigures& scale : layout.scales) {
    table.columns.push_back({"× " + CountText(scale.scale)});
  }
  for (const std::size_t at : patterns) {
    std::vector<std::string> row = {view.file.patterns[at].name};
    for (const LabScaleFigures& scale : layout.scales)
      row.push_back(ScaleUnitsText(scale.patterns[at]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

LabView LabViewOf(const LabFile& file, const LabResult& result) {
  LabView view{file, result};
  view.figures = MakeLabFigures(file, result);
  view.violations = CheckLabLimits(file, view.figures);
  view.verdict = JudgeLayouts(file, view.figures, view.violations);
  return view;
}

std::string MarkedName(const LabView& view, std::size_t layout) {
  const std::string& name = view.figures.layouts[layout].name;
  return view.figures.layouts.size() > 1 && view.verdict.layout() == layout ? name + " (taken)"
                                                                            : name;
}

std::string ShortLayoutName(const std::string& layout) {
  constexpr std::size_t kMostCharacters = 22;
  return ClippedText(layout, kMostCharacters);
}

ReportTable SideBySideTable(const LabView& view) {
  const std::vector<LabLayoutFigures>& layouts = view.figures.layouts;
  ReportTable table{.caption = "The layouts side by side, with differences from the first",
                    .group_columns = 1};
  table.columns = {{"", ColumnKind::kText, layouts.size() > 1 ? "(change from the first)" : ""}};
  for (std::size_t at = 0; at < layouts.size(); ++at) {
    table.columns.push_back(
        {MarkedName(view, at), ColumnKind::kNumber, ShortLayoutName(layouts[at].name)});
  }
  table.columns.push_back({"Method", ColumnKind::kText, {}, ShownIn::kPage});
  if (layouts.size() > 1 && view.verdict.layout()) {
    std::vector<std::string> row = {"verdict"};
    for (std::size_t at = 0; at < layouts.size(); ++at) {
      row.push_back(VerdictWord(*view.verdict.choice, at));
    }
    row.emplace_back();
    table.rows.push_back(std::move(row));
  }
  for (const LayoutRow& figure : kLayoutRows) {
    if (figure.is_shown && std::ranges::none_of(layouts, figure.is_shown)) continue;
    std::vector<std::string> row = {std::string(figure.name)};
    for (const LabLayoutFigures& layout : layouts) {
      row.push_back(LayoutCell(figure, layout, layouts.front()));
    }
    row.emplace_back(figure.method);
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportParts SideBySideParts(const LabView& view) {
  ReportParts parts = {SideBySideTable(view)};
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    if (!layout.month || layout.month->units_above_capacity <= 0) continue;
    parts.push_back(ReportParagraph{
        .text = layout.name + ": the declared capacity is less than the rates need, by " +
                CountedText(layout.month->units_above_capacity, "unit") + " a month.",
        .css_class = "note"});
  }
  AddFirstLimitFigure(view, parts);
  return parts;
}

ReportParts FirstScreenParts(const LabView& view) {
  const std::vector<LabLayoutFigures>& layouts = view.figures.layouts;
  ReportTable table{.caption = "What the verdict weighs",
                    .columns = {{"Layout", ColumnKind::kText},
                                {"Verdict", ColumnKind::kText},
                                {"US$ a month"},
                                {"Keys carry"},
                                {"Round trips a call"},
                                {"Indexes"}}};
  for (std::size_t at = 0; at < layouts.size(); ++at) {
    const LabLayoutFigures& layout = layouts[at];
    const double trips = RoundTripsOf(layout);
    table.rows.push_back(
        {MarkedName(view, at), view.verdict.layout() ? VerdictWord(*view.verdict.choice, at) : "-",
         MonthCell(layout, &LabMonth::usd),
         layout.key_limit ? NumberText(layout.key_limit->multiple) + " × the rates" : "-",
         trips > 0 ? NumberText(trips) : "-", CountText(layout.indexes)});
  }
  ReportParts parts = {std::move(table)};
  AddMonthFigure(view, parts);
  return parts;
}

ReportParts UnitParts(const LabView& view) {
  ReportParts parts;
  AddUnitsPlot(view, false, parts);
  AddUnitsPlot(view, true, parts);
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    parts.push_back(TableOfPatterns(layout));
  }
  return parts;
}

ReportSection TerminalUnits(const LabView& view, std::size_t width) {
  const std::size_t layouts = view.figures.layouts.size();
  const ReportTable of_two = ShortPatternTable(view, std::min<std::size_t>(2, layouts), true);
  const bool has_p99 = LeastWidthOf(of_two) <= width;
  return {.heading = std::string("Units a call (r read, w write): mean") +
                     (has_p99 ? ", 99th percentile" : "") + "; US$ a month on demand",
          .parts = {ShortPatternTable(view, layouts, has_p99)}};
}

ReportParts GrowthParts(const LabView& view) {
  if (view.figures.scales.empty()) return {};
  ReportParts parts;
  const std::vector<std::size_t> growing = GrowingPatterns(view);
  for (std::size_t at = 0; at < std::min(growing.size(), kMostGrowthPlots); ++at) {
    AddGrowthFigure(view, growing[at], parts);
  }
  if (growing.empty()) {
    parts.push_back(ReportParagraph{"No pattern takes other units at another scale."});
  }
  std::vector<std::size_t> all(view.file.patterns.size());
  for (std::size_t at = 0; at < all.size(); ++at) all[at] = at;
  for (const LabLayoutScales& layout : view.figures.scales) {
    parts.push_back(GrowthTable(view, layout, all));
  }
  return parts;
}

ReportParts TerminalGrowth(const LabView& view) {
  if (view.figures.scales.empty()) return {};
  ReportParts parts;
  std::vector<std::size_t> growing = GrowingPatterns(view);
  const std::size_t same = view.file.patterns.size() - growing.size();
  growing.resize(std::min(growing.size(), kMostTerminalPatterns));
  for (const LabLayoutScales& layout : view.figures.scales) {
    if (!growing.empty()) parts.push_back(GrowthTable(view, layout, growing));
  }
  if (same > 0) {
    parts.push_back(
        ReportParagraph{CountedText(static_cast<double>(same), "pattern takes", "patterns take") +
                        " the same units at each scale"});
  }
  return parts;
}

ReportParts FirstLimitParts(const LabView& view) {
  ReportTable table{.caption = "Runs about the first limit",
                    .columns = {{"Layout", ColumnKind::kText},
                                {"First limit", ColumnKind::kText},
                                {"Run at"},
                                {"Outcome", ColumnKind::kText},
                                {"Throttled there"},
                                {"Where", ColumnKind::kText},
                                {"Confirmed", ColumnKind::kText}}};
  ReportParts early_throttles;
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    const std::string limit = FirstDeclaredLimitText(layout);
    std::string confirmed = "-";
    if (layout.first_limit) {
      const std::string& reason = layout.first_limit->not_confirmed_because;
      confirmed = reason.empty() ? "yes" : "no: " + reason;
      if (reason.empty() && !LimitDoubtText(layout).empty()) {
        confirmed += ". " + LimitDoubtText(layout);
      }
    }
    if (layout.run->trials.empty()) {
      table.rows.push_back({layout.name, limit, "-", "-", "-", "", confirmed});
    }
    for (const LimitTrial& trial : layout.run->trials) {
      table.rows.push_back({layout.name, limit, NumberText(trial.multiple) + " ×",
                            TrialOutcomeText(trial),
                            PercentText(trial.throttled) + (trial.is_thinned ? ", thinned" : ""),
                            ThrottlePlaceText(trial.place), confirmed});
    }
    const std::string early = EarlyThrottlesText(layout);
    if (early.empty()) continue;
    early_throttles.push_back(ReportParagraph{.text = early, .css_class = "note"});
  }
  ReportParts parts = {std::move(table)};
  AppendParts(std::move(early_throttles), parts);
  return parts;
}

ReportParts TerminalFirstLimits(const LabView& view) {
  ReportParts parts;
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    std::string text = AsSentence(FirstDeclaredLimitText(layout));
    const std::string trials = TrialsText(*layout.run);
    if (!trials.empty()) text += " " + trials;
    const std::string doubt = LimitDoubtText(layout);
    if (!doubt.empty()) text += " " + doubt;
    const std::string early = EarlyThrottlesText(layout);
    if (!early.empty()) text += " " + early;
    parts.push_back(ReportParagraph{.text = text, .lead = ShortLayoutName(layout.name) + ": "});
  }
  return parts;
}

}  // namespace hashrange
