#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/report/lab_endpoint_tables.h"
#include "lab/report/lab_layout_rows.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/lab_verdict.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_lines.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostTitleCharacters = 22;
constexpr std::size_t kMostPatternTitleCharacters = 16;
constexpr std::size_t kMostPatterns = 24;
constexpr std::size_t kMostFindings = 2;  // of each layout
constexpr std::size_t kMostViolations = 5;
constexpr std::size_t kMostNotes = 8;

// Layouts that stand side by side in one table: as many as fit.
using LayoutSpan = std::span<const LabLayoutFigures>;

std::string TitleOfColumn(const std::string& layout) {
  return ClippedText(layout, kMostTitleCharacters);
}

// Returns how wide the table is when its first column is as narrow as it may be.
std::size_t LeastWidthOf(const TextTable& table) {
  constexpr std::size_t kFirstColumn = 16;
  constexpr std::size_t kGap = 2;
  std::size_t width = kFirstColumn;
  for (std::size_t at = 1; at < table.columns.size(); ++at) {
    std::size_t column = TerminalColumns(table.columns[at].heading);
    for (const std::vector<std::string>& row : table.rows) {
      column = std::max(column, TerminalColumns(ReadableText(row[at])));
    }
    width += kGap + column;
  }
  return width;
}

// Writes tables of as many layouts side by side as fit. `make` returns the table of some layouts.
template <typename Make>
void WriteTables(LayoutSpan layouts, Make make, ReportLines& lines) {
  for (std::size_t at = 0; at < layouts.size();) {
    std::size_t count = layouts.size() - at;
    while (count > 1 && LeastWidthOf(make(layouts.subspan(at, count))) > lines.width()) --count;
    if (at > 0) lines.Line("");
    lines.Table(make(layouts.subspan(at, count)));
    at += count;
  }
}

TextTable SideBySideTable(LayoutSpan layouts, const LabLayoutFigures& first) {
  const bool has_changes = layouts.size() > 1 || &layouts.front() != &first;
  TextTable table{.columns = {{has_changes ? "(change from the first)" : "", false}}};
  for (const LabLayoutFigures& layout : layouts) {
    table.columns.push_back({TitleOfColumn(layout.name)});
  }
  for (const LabLayoutRow& figure : LabLayoutRows()) {
    std::vector<std::string> row = {std::string(figure.name)};
    for (const LabLayoutFigures& layout : layouts) row.push_back(LayoutCell(figure, layout, first));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string RateText(const LabPattern& pattern) {
  return pattern.calls_per_second >= 0 ? NumberText(pattern.calls_per_second) : "-";
}

TextTable PatternsTable(const LabFile& file, LayoutSpan layouts, bool has_p99) {
  TextTable table{.columns = {{"", false}, {"calls/s"}}, .most_lines = 2};
  for (const LabLayoutFigures& layout : layouts) {
    table.columns.push_back({ClippedText(layout.name, kMostPatternTitleCharacters)});
    if (has_p99) table.columns.push_back({"p99"});
    table.columns.push_back({"US$/mo"});
  }
  for (std::size_t at = 0; at < std::min(file.patterns.size(), kMostPatterns); ++at) {
    std::vector<std::string> row = {file.patterns[at].name, RateText(file.patterns[at])};
    for (const LabLayoutFigures& layout : layouts) {
      const LabPatternFigures& pattern = layout.patterns[at];
      row.push_back(CallUnitsText(pattern));
      if (has_p99) row.push_back(CallUnitsP99Text(pattern));
      row.push_back(PatternMonthText(pattern));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void WritePatterns(const LabFile& file, LayoutSpan layouts, ReportLines& lines) {
  // Two layouts have to stand side by side, if need be without their percentiles.
  const LayoutSpan two = layouts.first(std::min<std::size_t>(2, layouts.size()));
  const bool has_p99 = LeastWidthOf(PatternsTable(file, two, true)) <= lines.width();
  lines.Heading(std::string("Units a call (r read, w write): mean") +
                (has_p99 ? ", 99th percentile" : "") + "; US$ a month on demand");
  WriteTables(
      layouts, [&](LayoutSpan shown) { return PatternsTable(file, shown, has_p99); }, lines);
  if (file.patterns.size() > kMostPatterns) {
    lines.Line("and " + CountText(file.patterns.size() - kMostPatterns) +
               " more, which --html and --json have");
  }
}

TextTable ScalesTable(const LabFile& file, const LabLayoutScales& layout,
                      const std::vector<std::size_t>& patterns) {
  TextTable table{.columns = {{TitleOfColumn(layout.name), false}}};
  for (const LabScaleFigures& scale : layout.scales) {
    table.columns.push_back({"× " + CountText(scale.scale)});
  }
  for (const std::size_t at : patterns) {
    std::vector<std::string> row = {file.patterns[at].name};
    for (const LabScaleFigures& scale : layout.scales) {
      row.push_back(ScaleUnitsText(scale, at));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void WriteScales(const LabFile& file, const LabFigures& figures, ReportLines& lines) {
  if (figures.scales.empty()) return;
  lines.Heading("Units a call as the data grow, by scale");
  std::vector<std::size_t> growing;
  for (std::size_t at = 0; at < file.patterns.size(); ++at) {
    if (UnitsDifferByScale(figures, at)) growing.push_back(at);
  }
  const std::size_t same = file.patterns.size() - growing.size();
  if (growing.size() > kMostPatterns) growing.resize(kMostPatterns);
  for (const LabLayoutScales& layout : figures.scales) {
    if (growing.empty()) break;
    lines.Table(ScalesTable(file, layout, growing));
  }
  if (same > 0) {
    lines.Line(CountedText(static_cast<double>(same), "pattern takes", "patterns take") +
               " the same units at each scale");
  }
}

void WriteFirstLimits(const LabFigures& figures, ReportLines& lines) {
  lines.Heading("What breaks first");
  for (const LabLayoutFigures& layout : figures.layouts) {
    std::string text = FirstDeclaredLimitText(layout) + ".";
    const std::string trials = TrialsText(*layout.run);
    if (!trials.empty()) text += " " + trials;
    const std::string reason = NotConfirmedBecause(layout);
    if (!reason.empty()) text += " Not confirmed: " + reason + ".";
    const std::string early = EarlyThrottlesText(layout);
    if (!early.empty()) text += " " + early;
    lines.Paragraph(TitleOfColumn(layout.name) + ": ", text, "");
  }
}

void WriteViolations(const std::vector<LabViolation>& violations, ReportLines& lines) {
  if (violations.empty()) return;
  lines.Heading("Limits of the file: " +
                CountedText(static_cast<double>(violations.size()), "does", "do") + " not hold");
  for (std::size_t at = 0; at < std::min(violations.size(), kMostViolations); ++at) {
    lines.Paragraph("", violations[at].sentence, "");
  }
  if (violations.size() > kMostViolations) {
    lines.Line("and " + CountText(violations.size() - kMostViolations) + " more");
  }
}

void WriteFindingsOfLayouts(const LabFigures& figures, ReportLines& lines) {
  lines.Heading("Worst findings");
  bool has_any = false;
  for (const LabLayoutFigures& layout : figures.layouts) {
    const std::vector<ReportedFinding>& findings = layout.input.findings;
    for (std::size_t at = 0; at < std::min(findings.size(), kMostFindings); ++at) {
      const ReportedFinding& finding = findings[at];
      std::string text = TitleOfColumn(layout.name) + ": " + finding.what;
      if (!finding.where.empty()) {
        text += (text.ends_with('.') ? " " : ": ") + finding.where + ".";
      }
      lines.Paragraph(FitText(finding.severity, 9, false), text, SeverityColour(finding.severity));
      has_any = true;
    }
  }
  if (!has_any) lines.Line("none");
}

void WriteNotes(const LabFigures& figures, ReportLines& lines) {
  if (figures.notes.empty()) return;
  lines.Heading("Notes");
  const std::size_t shown = std::min(figures.notes.size(), kMostNotes);
  // The last note says how the figures came about, so it is always there.
  for (std::size_t at = 0; at + 1 < shown; ++at) lines.Paragraph("- ", figures.notes[at], "");
  if (shown < figures.notes.size()) {
    lines.Line("- and " + CountText(figures.notes.size() - shown) + " more");
  }
  lines.Paragraph("- ", figures.notes.back(), "");
}

TextTable TextTableOf(const FigureTable& table) {
  TextTable text{.most_lines = 2};
  for (const TableColumn& column : table.columns) {
    text.columns.push_back({column.name, column.kind == ColumnKind::kNumber});
  }
  text.rows = table.rows;
  return text;
}

void WriteEndpoint(const LabFile& file, const LabResult& result, ReportLines& lines) {
  for (const LabEndpointTables& tables : EndpointTablesOf(file, result)) {
    lines.Heading(EndpointTitle(*result.endpoint) + ": " + TitleOfColumn(tables.layout));
    for (const FigureTable& table : tables.tables) {
      if (&table != &tables.tables.front()) lines.Line("");
      lines.Table(TextTableOf(table));
    }
    for (const std::string& sentence : tables.sentences) {
      lines.Paragraph("- ", ReadableText(sentence), "");
    }
  }
}

}  // namespace

std::string LabTextReport(const LabFile& file, const LabResult& result,
                          const TextReportForm& form) {
  const LabFigures figures = MakeLabFigures(file, result);
  const std::vector<LabViolation> violations = CheckLabLimits(file, figures);
  const LabVerdict verdict = JudgeLayouts(figures, violations);
  ReportLines lines(form);
  lines.Paragraph("", verdict.headline, "");
  for (const std::string& reason : verdict.reasons) lines.Paragraph("- ", reason, "");
  if (figures.layouts.empty()) return lines.Take();
  const LayoutSpan all = figures.layouts;
  lines.Line("");
  WriteTables(
      all, [&](LayoutSpan shown) { return SideBySideTable(shown, all.front()); }, lines);
  WritePatterns(file, all, lines);
  WriteScales(file, figures, lines);
  WriteEndpoint(file, result, lines);
  WriteFirstLimits(figures, lines);
  WriteViolations(violations, lines);
  WriteFindingsOfLayouts(figures, lines);
  WriteNotes(figures, lines);
  return lines.Take();
}

}  // namespace hashrange
