#include "measure/report/text_report.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/partition_lines.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_figures.h"
#include "measure/report/report_lines.h"
#include "measure/report/report_time.h"
#include "measure/report/text_table.h"

namespace hashrange {
namespace {

// From this width on, three figures of the headline stand side by side, below it two.
constexpr std::size_t kColumnsForThree = 96;
constexpr std::size_t kMostPatterns = 10;
constexpr std::size_t kMostResources = 8;
constexpr std::size_t kMostFindings = 6;
constexpr std::size_t kMostGaps = 3;

std::string PeriodText(const ReportView& view) {
  const Measurement& measurement = view.measurement();
  return UtcText(measurement.began_epoch_ms) + " UTC, " + LengthOfTimeText(view.mix.covered_ms) +
         (measurement.is_running ? ", still running" : "");
}

std::string FirstLimitText(const ReportInput& input) {
  return input.first_limits.empty() ? "not computed" : input.first_limits.front().sentence;
}

void WriteHeadlineText(const ReportView& view, ReportLines& lines) {
  const MixFigures& mix = view.mix;
  for (const std::string& line : WrapText(
           "Measurement " + ClippedText(view.title, 40) + ", " + PeriodText(view), lines.width())) {
    lines.Line(line);
  }
  lines.Line("");
  struct Cell {
    std::string name;
    std::string value;
  };
  const std::vector<Cell> cells = {
      {"calls", CountText(mix.calls)},
      {"read units", NumberText(mix.read_units)},
      {"write units", NumberText(mix.write_units)},
      {"US$ per million calls", AmountText(mix.usd_per_million_calls)},
      {"stored", BytesText(mix.table_bytes + mix.index_bytes)},
      {"errors, throttled", CountText(mix.errors) + ", " + CountText(mix.throttled)}};
  const std::size_t in_a_row = lines.width() < kColumnsForThree ? 2 : 3;
  const std::size_t width = lines.width() / in_a_row;
  for (std::size_t row = 0; row < cells.size(); row += in_a_row) {
    std::string line;
    for (std::size_t at = row; at < row + in_a_row; ++at) {
      const std::string value = " " + cells[at].value;
      const std::size_t name_columns = TerminalColumns(cells[at].name);
      const std::size_t taken = 3 + TerminalColumns(value);
      const std::size_t room = std::max(name_columns, width > taken ? width - taken : 0);
      line += (at > row ? "   " : "") + FitText(cells[at].name, room, false) + value;
    }
    lines.Line(line);
  }
  const ReportedMonth& month = view.input->month;
  if (!month.basis.empty()) lines.Paragraph("", MonthText(month), "");
}

std::string ExaminedText(const PatternFigures& figures) {
  return figures.examined_per_returned < 0 ? "-" : NumberText(figures.examined_per_returned);
}

void WritePatternsText(const ReportView& view, ReportLines& lines) {
  if (view.patterns.empty()) return;
  lines.Heading("Patterns by cost");
  TextTable table{.columns = {{"", false},
                              {"cost"},
                              {"US$/M"},
                              {"calls"},
                              {"RU/call"},
                              {"p99"},
                              {"WU/call"},
                              {"p99"},
                              {"exam/ret"}},
                  .most_lines = 4};
  for (const PatternFigures& figures : view.patterns) {
    if (table.rows.size() == kMostPatterns) break;
    const CallSizes& sizes = figures.pattern->call;
    table.rows.push_back(
        {figures.label, ShareText(figures.share_of_cost), AmountText(figures.usd_per_million),
         CountText(figures.pattern->calls), NumberText(figures.read_units_a_call),
         NumberText(sizes.read_units.Percentile(0.99)), NumberText(figures.write_units_a_call),
         NumberText(sizes.write_units.Percentile(0.99)), ExaminedText(figures)});
  }
  lines.Table(table);
  if (view.patterns.size() > kMostPatterns) {
    lines.Line("and " + CountText(view.patterns.size() - kMostPatterns) + " more");
  }
}

void WriteResourcesText(const ReportView& view, ReportLines& lines) {
  if (view.resources.empty()) return;
  lines.Heading("Tables and indexes");
  TextTable table{
      .columns = {
          {"", false}, {"read units"}, {"write units"}, {"items"}, {"size"}, {"hottest key"}}};
  bool has_share = false;
  for (const ResourceFigures& resource : view.resources) {
    if (table.rows.size() == kMostResources) break;
    const double share = resource.hottest_key_share;
    has_share = has_share || share > 0;
    table.rows.push_back({resource.label, NumberText(resource.read_units),
                          NumberText(resource.write_units), ItemsText(resource), SizeText(resource),
                          share > 0 ? ShareText(share) : "-"});
  }
  lines.Table(table);
  if (view.resources.size() > kMostResources) {
    lines.Line("and " + CountText(view.resources.size() - kMostResources) + " more");
  }
  if (has_share) {
    lines.Paragraph("hottest key: ",
                    "the most that one partition key has of the read units or of the write units, "
                    "scans included",
                    "");
  }
}

void WritePartitionsText(const ReportView& view, ReportLines& lines) {
  if (view.measurement().partitions.empty()) return;
  lines.Heading("Partitions, modelled");
  for (const PartitionLines& map : PartitionLinesOf(view.measurement())) {
    lines.Paragraph("", map.summary, "");
    lines.Table(map.table);
    for (const std::string& line : map.lines) lines.Paragraph("", line, "");
  }
  lines.Paragraph("hottest, now: ",
                  "the demand, refused accesses included, as a share of what a partition serves: "
                  "in its hottest slice of that length, and the moving average at the end",
                  "");
}

void WriteCallersText(const ReportView& view, ReportLines& lines) {
  const std::vector<NamedCount> callers = CallersOf(view.measurement());
  if (callers.empty()) return;
  constexpr std::size_t kMostCallers = 5;
  std::string text;
  for (std::size_t at = 0; at < std::min(callers.size(), kMostCallers); ++at) {
    text += (at == 0 ? "" : ", ") + callers[at].name + " " + CountText(callers[at].count);
  }
  if (callers.size() > kMostCallers) {
    text += " and " + CountText(callers.size() - kMostCallers) + " more";
  }
  lines.Heading("Callers, by requests");
  lines.Paragraph("", text, "");
}

void WriteFindingsText(const ReportInput& input, ReportLines& lines) {
  lines.Heading("Findings: " + FindingCountsText(input));
  for (std::size_t at = 0; at < std::min(input.findings.size(), kMostFindings); ++at) {
    const ReportedFinding& finding = input.findings[at];
    std::string text = finding.what + " " + finding.where + ": " + finding.evidence;
    if (!finding.cost.empty()) text += " " + finding.cost + ".";
    lines.Paragraph(FitText(finding.severity, 9, false), text, SeverityColour(finding.severity));
  }
  if (input.findings.size() > kMostFindings) {
    lines.Line("and " + CountText(input.findings.size() - kMostFindings) + " more");
  }
}

void WriteGapsText(const ReportView& view, ReportLines& lines) {
  const ReportInput& input = *view.input;
  const MeasurementLimits& limits = input.measurement.limits;
  lines.Heading("Not measured, not assessed");
  if (limits.other_patterns > 0) {
    lines.Line(CountedText(static_cast<double>(limits.other_patterns), "call is", "calls are") +
               " in the pattern \"other\"");
  }
  if (limits.other_resources > 0) {
    lines.Line(CountedText(static_cast<double>(limits.other_resources), "access", "accesses") +
               " of tables without counters");
  }
  if (!input.rates_without_calls.empty()) {
    std::string names;
    for (const std::string& name : input.rates_without_calls) {
      names += (names.empty() ? "" : "; ") + name;
    }
    lines.Paragraph("rates of no pattern: ", names, "");
  }
  for (std::size_t at = 0; at < std::min(input.not_assessed.size(), kMostGaps); ++at) {
    const ReportedGap& gap = input.not_assessed[at];
    lines.Paragraph(ClippedText(gap.rule, 30) + ": ", gap.why, "");
  }
  if (input.not_assessed.size() > kMostGaps) {
    lines.Line("and " + CountedText(static_cast<double>(input.not_assessed.size() - kMostGaps),
                                    "more rule"));
  }
  if (input.not_assessed.empty()) {
    const bool has_rules = input.clean_rules > 0 || !input.findings.empty();
    lines.Line(has_rules ? "every rule was assessed" : "no rule was assessed");
  }
}

void WriteOne(const ReportView& view, ReportLines& lines) {
  WriteHeadlineText(view, lines);
  WritePatternsText(view, lines);
  WriteResourcesText(view, lines);
  lines.Heading("First limit");
  lines.Paragraph("", FirstLimitText(*view.input), "");
  const std::string& assumption = view.input->first_limit_assumption;
  if (!assumption.empty()) lines.Paragraph("", assumption, "");
  WritePartitionsText(view, lines);
  WriteCallersText(view, lines);
  WriteFindingsText(*view.input, lines);
  WriteGapsText(view, lines);
}

// A figure with its difference from the first measurement's: "0.42 (-23 %)".
std::string WithChange(const std::string& text, double now, double before, bool is_first) {
  return is_first ? text : text + " (" + ChangeText(now, before) + ")";
}

struct ComparedFigure {
  std::string_view name;
  double (*value)(const MixFigures&);
  std::string (*text)(double);
};
constexpr ComparedFigure kComparedFigures[] = {
    {"calls", [](const MixFigures& mix) { return static_cast<double>(mix.calls); }, NumberText},
    {"read units", [](const MixFigures& mix) { return mix.read_units; }, NumberText},
    {"write units", [](const MixFigures& mix) { return mix.write_units; }, NumberText},
    {"US$ per million calls", [](const MixFigures& mix) { return mix.usd_per_million_calls; },
     AmountText},
    {"stored", [](const MixFigures& mix) { return mix.table_bytes + mix.index_bytes; }, BytesText},
    {"errors", [](const MixFigures& mix) { return static_cast<double>(mix.errors); }, NumberText},
    {"throttled", [](const MixFigures& mix) { return static_cast<double>(mix.throttled); },
     NumberText},
};

// A heading row with the measurements.
TextTable TableOfViews(std::span<const ReportView> views) {
  TextTable table{.columns = {{"", false}}};
  constexpr std::size_t kMostTitleCharacters = 24;
  for (const ReportView& view : views) {
    table.columns.push_back({ClippedText(view.title, kMostTitleCharacters)});
  }
  return table;
}

bool HasMonth(const ReportView& view) { return !view.input->month.lines.empty(); }

// A row with the price of a month, unless no measurement has one.
void AddMonthRow(std::span<const ReportView> views, TextTable& table) {
  if (std::ranges::none_of(views, HasMonth)) return;
  std::vector<std::string> row = {"US$ a month"};
  const ReportView& first = views.front();
  for (const ReportView& view : views) {
    const double usd = view.mix.month_usd;
    row.push_back(HasMonth(view) ? WithChange(AmountText(usd), usd, first.mix.month_usd,
                                              &view == &first || !HasMonth(first))
                                 : "-");
  }
  table.rows.push_back(std::move(row));
}

void WriteComparedHeadline(std::span<const ReportView> views, ReportLines& lines) {
  TextTable table = TableOfViews(views);
  for (const ComparedFigure& figure : kComparedFigures) {
    std::vector<std::string> row = {std::string(figure.name)};
    for (const ReportView& view : views) {
      const double now = figure.value(view.mix);
      const double before = figure.value(views.front().mix);
      row.push_back(WithChange(figure.text(now), now, before, &view == &views.front()));
    }
    table.rows.push_back(std::move(row));
  }
  AddMonthRow(views, table);
  for (const char* severity : {"severe", "warning", "hint"}) {
    std::vector<std::string> row = {std::string("findings: ") + severity};
    for (const ReportView& view : views) {
      row.push_back(CountText(FindingsOf(*view.input, severity)));
    }
    table.rows.push_back(std::move(row));
  }
  lines.Table(table);
}

void WriteComparedPatterns(std::span<const ReportView> views, ReportLines& lines) {
  lines.Heading("US$ per million calls, by pattern");
  TextTable table = TableOfViews(views);
  const std::vector<ComparedPattern> compared = ComparePatterns(views);
  constexpr std::size_t kMostCompared = 16;
  for (const ComparedPattern& pattern : compared) {
    if (table.rows.size() == kMostCompared) break;
    std::vector<std::string> row = {pattern.label};
    const std::optional<ComparedFigures>& first = pattern.figures.front();
    for (const std::optional<ComparedFigures>& figures : pattern.figures) {
      if (!figures) {
        row.emplace_back("-");
        continue;
      }
      const bool has_no_change = &figures == &first || !first;
      row.push_back(WithChange(AmountText(figures->usd_per_million), figures->usd_per_million,
                               first ? first->usd_per_million : 0, has_no_change));
    }
    table.rows.push_back(std::move(row));
  }
  lines.Table(table);
  if (compared.size() > kMostCompared) {
    lines.Line("and " + CountText(compared.size() - kMostCompared) + " more");
  }
}

void WriteSeveral(std::span<const ReportView> views, ReportLines& lines) {
  WriteComparedHeadline(views, lines);
  const std::string& basis = views.front().input->month.basis;
  if (std::ranges::none_of(views, HasMonth) && !basis.empty()) {
    lines.Paragraph("A month: ", basis, "");
  }
  WriteComparedPatterns(views, lines);
  lines.Heading("First limit");
  for (const ReportView& view : views) {
    lines.Paragraph(ClippedText(view.title, 24) + ": ", FirstLimitText(*view.input), "");
  }
  for (const ReportView& view : views) {
    const std::string& assumption = view.input->first_limit_assumption;
    if (assumption.empty()) continue;
    lines.Paragraph(ClippedText(view.title, 24) + ": ", assumption, "");
  }
}

}  // namespace

std::string TextReport(std::span<const ReportInput> inputs, const TextReportForm& form) {
  const std::vector<ReportView> views = ViewsOf(inputs);
  ReportLines lines(form);
  if (views.size() == 1) {
    WriteOne(views.front(), lines);
  } else {
    WriteSeveral(views, lines);
  }
  return lines.Take();
}

}  // namespace hashrange
