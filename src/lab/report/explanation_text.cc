#include <algorithm>
#include <cstddef>
#include <string_view>

#include "lab/plan/request/request_template.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/request_text.h"
#include "lab/report/unit_spread_text.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_lines.h"

namespace hashrange {
namespace {

constexpr std::string_view kIndent = "    ";

void WriteRequests(const LabFile& file, const PatternPlan& plan, ReportLines& lines) {
  const std::size_t width = lines.width() - kIndent.size();
  for (const PlanStep& step : plan.steps) {
    lines.Paragraph("  ", StepTitle(step), "");
    for (const std::string& line : RequestLines(ReadableRequest(file, step.request), width)) {
      lines.Line(std::string(kIndent) + line);
    }
  }
}

void WriteExplained(const LabFile& file, const std::string& layout, const ExplainedPattern& pattern,
                    ReportLines& lines) {
  const PatternPlan& plan = pattern.plan;
  const std::string lead = ClippedText(layout, 40) + ": ";
  if (!plan.impossible.empty()) {
    lines.Paragraph(lead, "not possible: " + plan.impossible, "");
  } else {
    lines.Paragraph(lead, ServiceText(plan) + "; " + SpreadsText(pattern), "");
  }
  WriteRequests(file, plan, lines);
  for (const std::string& reason : plan.reasons) lines.Paragraph("  why: ", reason, "");
  for (const std::string& reason : plan.rejected) lines.Paragraph("  not: ", reason, "");
}

// Returns the pattern as the file says it: "400 calls a second".
std::string DeclaredText(const LabFile& file, const std::string& name) {
  const auto found = std::ranges::find(file.patterns, name, &LabPattern::name);
  if (found == file.patterns.end() || !(found->calls_per_second >= 0)) return ", without a rate";
  return ", " + CountedText(found->calls_per_second, "call") + " a second";
}

void WritePlanFindings(const ExplainedLayout& layout, ReportLines& lines) {
  for (const PlanFinding& finding : layout.findings) {
    std::string text = ClippedText(layout.name, 40) + ": " + finding.what;
    if (!finding.where.empty()) text += (text.ends_with('.') ? " " : ": ") + finding.where + ".";
    if (!finding.evidence.empty()) text += " " + finding.evidence;
    if (!finding.advice.empty()) text += " " + finding.advice;
    lines.Paragraph(FitText(finding.severity, 9, false), text, SeverityColour(finding.severity));
  }
}

}  // namespace

std::string ExplanationText(const LabFile& file, const std::vector<ExplainedLayout>& layouts,
                            const TextReportForm& form) {
  ReportLines lines(form);
  if (layouts.empty()) lines.Line("No layout was explained.");
  for (std::size_t at = 0; !layouts.empty() && at < layouts.front().patterns.size(); ++at) {
    const std::string& name = layouts.front().patterns[at].name;
    lines.Heading(ClippedText(name, 60) + DeclaredText(file, name));
    for (const ExplainedLayout& layout : layouts) {
      if (at < layout.patterns.size())
        WriteExplained(file, layout.name, layout.patterns[at], lines);
    }
  }
  const bool has_findings = std::ranges::any_of(
      layouts, [](const ExplainedLayout& layout) { return !layout.findings.empty(); });
  if (has_findings) lines.Heading("Findings");
  for (const ExplainedLayout& layout : layouts) WritePlanFindings(layout, lines);
  const std::string text = lines.Take();
  return text.starts_with('\n') ? text.substr(1) : text;
}

}  // namespace hashrange
