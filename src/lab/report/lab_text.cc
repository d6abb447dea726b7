#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/report/lab_layout_rows.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/lab_verdict.h"
#include "measure/number_text.h"
#include "report/readable_text.h"
#include "report/report_lines.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostTitleCharacters = 22;
constexpr std::size_t kMostPatterns = 16;
constexpr std::size_t kMostFindings = 2;  // of each layout
constexpr std::size_t kMostViolations = 5;
constexpr std::size_t kMostNotes = 8;

// Layouts that stand side by side in one table: as many as fit.
using LayoutSpan = std::span<const LabLayoutFigures>;

std::string TitleOfColumn(const std::string& layout) {
  return ClippedText(layout, kMostTitleCharacters);
}

void WriteSideBySide(LayoutSpan layouts, const LabLayoutFigures& first, ReportLines& lines) {
  TextTable table{.columns = {{"", false}}};
  for (const LabLayoutFigures& layout : layouts) {
    table.columns.push_back({TitleOfColumn(layout.name)});
  }
  for (const LabLayoutRow& figure : LabLayoutRows()) {
    std::vector<std::string> row = {std::string(figure.name)};
    for (const LabLayoutFigures& layout : layouts) row.push_back(LayoutCell(figure, layout, first));
    table.rows.push_back(std::move(row));
  }
  lines.Table(table);
}

std::string RateText(const LabPattern& pattern) {
  return pattern.calls_per_second >= 0 ? NumberText(pattern.calls_per_second) : "-";
}

void WritePatterns(const LabFile& file, LayoutSpan layouts, ReportLines& lines) {
  TextTable table{.columns = {{"", false}, {"calls/s"}}, .most_lines = 2};
  for (const LabLayoutFigures& layout : layouts) {
    table.columns.push_back({TitleOfColumn(layout.name)});
    table.columns.push_back({"p99"});
    table.columns.push_back({"US$/mo"});
  }
  const std::size_t shown = std::min(file.patterns.size(), kMostPatterns);
  for (std::size_t at = 0; at < shown; ++at) {
    std::vector<std::string> row = {file.patterns[at].name, RateText(file.patterns[at])};
    for (const LabLayoutFigures& layout : layouts) {
      const LabPatternFigures& pattern = layout.patterns[at];
      row.push_back(CallUnitsText(pattern));
      row.push_back(CallUnitsP99Text(pattern));
      row.push_back(pattern.month_usd ? AmountText(*pattern.month_usd) : "-");
    }
    table.rows.push_back(std::move(row));
  }
  lines.Table(table);
  if (shown < file.patterns.size()) {
    lines.Line("and " + CountText(file.patterns.size() - shown) + " more");
  }
}

std::string ScalesCell(const LabLayoutScales& layout, std::size_t pattern) {
  std::string text;
  for (const LabScaleFigures& scale : layout.scales) {
    if (!text.empty()) text += " > ";
    text += scale.is_known[pattern]
                ? UnitsText(scale.read_units[pattern].mean, scale.write_units[pattern].mean)
                : "-";
  }
  return text;
}

void WriteScales(const LabFile& file, const LabFigures& figures, ReportLines& lines) {
  if (figures.scales.empty()) return;
  std::vector<std::string> scales;
  for (const LabScaleFigures& scale : figures.scales.front().scales) {
    scales.push_back(CountText(scale.scale));
  }
  lines.Heading("Units a call as the data grow, at scale " + ListText(scales));
  TextTable table{.columns = {{"", false}}};
  for (const LabLayoutScales& layout : figures.scales) {
    table.columns.push_back({TitleOfColumn(layout.name)});
  }
  std::size_t same = 0;
  for (std::size_t at = 0; at < file.patterns.size(); ++at) {
    if (!UnitsDifferByScale(figures, at)) {
      ++same;
      continue;
    }
    if (table.rows.size() == kMostPatterns) continue;
    std::vector<std::string> row = {file.patterns[at].name};
    for (const LabLayoutScales& layout : figures.scales) row.push_back(ScalesCell(layout, at));
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) lines.Table(table);
  if (same > 0) {
    lines.Line(CountedText(static_cast<double>(same), "pattern takes", "patterns take") +
               " the same units at each scale, or was not called");
  }
}

void WriteFirstLimits(const LabFigures& figures, ReportLines& lines) {
  lines.Heading("What breaks first");
  for (const LabLayoutFigures& layout : figures.layouts) {
    const std::string trials = TrialsText(*layout.run);
    lines.Paragraph(TitleOfColumn(layout.name) + ": ",
                    FirstDeclaredLimitText(layout) + "." + (trials.empty() ? "" : " " + trials),
                    "");
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
      if (!finding.where.empty()) text += " " + finding.where + ".";
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

// Returns how many layouts stand side by side in a table of patterns.
std::size_t LayoutsOfTable(const ReportLines& lines) {
  constexpr std::size_t kColumnsOfNames = 32;
  constexpr std::size_t kColumnsOfLayout = 32;
  return std::max<std::size_t>(1, (lines.width() - kColumnsOfNames) / kColumnsOfLayout);
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
  const std::size_t in_a_table = LayoutsOfTable(lines);
  for (std::size_t at = 0; at < all.size(); at += in_a_table) {
    lines.Line("");
    WriteSideBySide(all.subspan(at, std::min(in_a_table, all.size() - at)), all.front(), lines);
  }
  lines.Heading("Units a call (r read, w write), mean and 99th percentile; US$ a month on demand");
  for (std::size_t at = 0; at < all.size(); at += in_a_table) {
    if (at > 0) lines.Line("");
    WritePatterns(file, all.subspan(at, std::min(in_a_table, all.size() - at)), lines);
  }
  WriteScales(file, figures, lines);
  WriteFirstLimits(figures, lines);
  WriteViolations(violations, lines);
  WriteFindingsOfLayouts(figures, lines);
  WriteNotes(figures, lines);
  return lines.Take();
}

}  // namespace hashrange
