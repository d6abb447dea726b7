#include "lab/report/lab_report.h"

#include <algorithm>
#include <utility>

#include "lab/report/lab_growth.h"
#include "lab/report/lab_plans.h"
#include "lab/report/lab_sections.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/lab_warm_up.h"
#include "lab/run/run_figures.h"
#include "measure/number_text.h"
#include "measure/report/html_page.h"
#include "measure/report/measure_report.h"
#include "measure/report/report_time.h"

namespace hashrange {
namespace {

bool HasLayouts(const LabView& view) { return !view.figures.layouts.empty(); }

ReportList ListOfViolations(const LabView& view) {
  std::vector<std::string> sentences;
  for (const LabViolation& violation : view.violations) sentences.push_back(violation.sentence);
  return ListOf(std::move(sentences));
}

ReportParts PartsOfBilling(const LabView& view) {
  std::vector<LayoutBilling> layouts;
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    if (layout.billing) layouts.push_back({ShortLayoutName(layout.name), *layout.billing});
  }
  return BillingParts(view.file, layouts);
}

// --- The terminal ---

ReportParts TerminalVerdict(const LabVerdict& verdict) {
  return {ReportParagraph{verdict.headline}, ListOf(verdict.reasons)};
}

void AddViolations(const LabView& view, std::vector<ReportSection>& sections) {
  constexpr std::size_t kMostViolations = 5;
  if (view.violations.empty()) return;
  ReportList list = ListOfViolations(view);
  list.lead = "";
  list.most = kMostViolations;
  AddSection("Limits of the file: " +
                 CountedText(static_cast<double>(view.violations.size()), "does", "do") +
                 " not hold",
             {std::move(list)}, sections);
}

ReportParts WorstFindings(const LabView& view) {
  constexpr std::size_t kMostFindings = 2;  // of each layout
  ReportCards cards;
  for (const LabLayoutFigures& layout : view.figures.layouts) {
    const std::vector<ReportedFinding>& findings = layout.input.findings;
    for (std::size_t at = 0; at < std::min(findings.size(), kMostFindings); ++at) {
      const ReportedFinding& finding = findings[at];
      cards.findings.push_back(
          {.severity = finding.severity,
           .summary = FindingText(ShortLayoutName(layout.name), finding.what, finding.where)});
    }
  }
  if (cards.findings.empty()) return {ReportParagraph{"none"}};
  return {std::move(cards)};
}

ReportParts TerminalNotes(const std::vector<std::string>& notes) {
  constexpr std::size_t kMostNotes = 8;
  if (notes.empty()) return {};
  std::vector<std::string> shown = notes;
  if (notes.size() > kMostNotes) {
    shown.resize(kMostNotes - 1);
    shown.push_back("and " + CountText(notes.size() - kMostNotes) + " more");
    // The last note says how the figures came about, so it is always there.
    shown.push_back(notes.back());
  }
  return {ListOf(std::move(shown))};
}

// --- The page ---

struct LabPageSection {
  std::string_view id;
  std::string_view name;  // in the list of contents
  std::string_view heading;
  std::string_view intro;
  ReportParts (*parts)(const LabView& view);
  // Whether `parts` may be asked for; null: always. A section without parts is not shown.
  bool (*may_show)(const LabView& view) = nullptr;
};

ReportParts ReasonParts(const LabView& view) {
  ReportParts parts;
  if (!view.verdict.reasons.empty()) parts.push_back(ListOf(view.verdict.reasons));
  parts.push_back(ReportParagraph{.text = VerdictRule(), .css_class = "note"});
  return parts;
}

constexpr LabPageSection kLabSections[] = {
    {"reasons", "Reasons", "Why, and what would change it", "", ReasonParts, HasLayouts},
    {"layouts", "Side by side", "The layouts side by side", "", SideBySideParts, HasLayouts},
    {"limits", "Limits", "Limits of the file that do not hold", "",
     [](const LabView& view) { return ReportParts{ListOfViolations(view)}; },
     [](const LabView& view) { return !view.violations.empty(); }},
    {"patterns", "Units by pattern", "Units a call, by pattern and layout",
     "All requests of a call together: shards, pages, look-ups, fetches. r are read units, w are "
     "write units.",
     UnitParts, HasLayouts},
    {"endpoint", "Endpoint", "The same calls at an endpoint",
     "Each call began at its instant; its latency is counted from there, within 3 %. Units are "
     "those that the endpoint reported, or where it reported none, those of the twin.",
     EndpointParts, [](const LabView& view) { return view.result.endpoint.has_value(); }},
    {"growth", "Growth", "Units a call as the data grow", "", GrowthParts},
    {"curves", "Curves", "What is expected while a number of the file changes", "", CurveParts},
    {"billing", "Billing", kBillingHeading, "", PartsOfBilling},
    {"months", "Months", kGrowthHeading,
     "Expected from the declarations: the declared rates at every hour create and delete, and what "
     "has a `ttl` expires. The month is that of the declared rates then, with storage, by the "
     "requests that are the cheapest then.",
     [](const LabView& view) {
       return PartsOfGrowth(GrownLayoutsOf(view), view.file.patterns.size());
     }},
    {"warm-up", "Warm-up", kWarmUpHeading,
     "Where the declared rates are more than the partitions of new tables serve.",
     [](const LabView& view) { return WarmUpParts(GrownLayoutsOf(view)); }},
    {"trials", "First limits", "What breaks first, and whether it does",
     "The first limit is computed, and runs of the traffic look where it holds: there, at most 0.1 "
     "% "
     "of the requests at a key, table or index are throttled; where it breaks, more than 1 %. The "
     "first {warm-up} do not count. Throttles are those of modelled partitions.",
     FirstLimitParts, HasLayouts},
    {"plans", "Requests", "How each pattern is served",
     "The requests are exactly those that were made; what a call puts in stands in braces.",
     PlanParts, HasLayouts},
};

std::string WithWarmUp(std::string_view intro, const LabFile& file) {
  constexpr std::string_view kPlaceholder = "{warm-up}";
  std::string text(intro);
  const std::size_t at = text.find(kPlaceholder);
  if (at == text.npos) return text;
  const std::int64_t warm_up_ms = TrialWarmUpMs(file.partitions);
  return text.replace(at, kPlaceholder.size(), LengthOfTimeText(warm_up_ms));
}

ReportParts HeaderParts(const LabView& view) {
  ReportParts parts = {ReportParagraph{view.verdict.headline}};
  if (HasLayouts(view)) AppendParts(FirstScreenParts(view), parts);
  return parts;
}

}  // namespace

std::string LabTextReport(const LabFile& file, const LabResult& result,
                          const TextReportForm& form) {
  const LabView view = LabViewOf(file, result);
  std::vector<ReportSection> sections = {{.parts = TerminalVerdict(view.verdict)}};
  if (!HasLayouts(view)) return TerminalText(sections, form);
  AppendParts({ReportBlankLine{}, SideBySideTable(view)}, sections[0].parts);
  sections.push_back(TerminalUnits(view, WidthOf(form)));
  AddSection("Units a call as the data grow, by scale", TerminalGrowth(view), sections);
  AddSection(std::string(kBillingHeading), PartsOfBilling(view), sections);
  AddSection(std::string(kGrowthHeading), PartsOfGrowth(GrownLayoutsOf(view), kMostGrownInText),
             sections);
  AddSection(std::string(kWarmUpHeading), WarmUpParts(GrownLayoutsOf(view)), sections);
  for (ReportSection& section : TerminalEndpoint(view)) sections.push_back(std::move(section));
  for (ReportSection& section : TerminalCurves(result.curves)) {
    sections.push_back(std::move(section));
  }
  AddSection("What breaks first", TerminalFirstLimits(view), sections);
  AddViolations(view, sections);
  AddSection("Worst findings", WorstFindings(view), sections);
  AddSection("Notes", TerminalNotes(view.figures.notes), sections);
  return TerminalText(sections, form);
}

std::string CurvesText(const std::vector<ForecastCurve>& curves, const TextReportForm& form) {
  return TerminalText(TerminalCurves(curves), form);
}

ReportPage LabPageOf(const LabView& view) {
  ReportPage page{.eyebrow = "Hashrange layout lab",
                  .heading = "Which layout, at what cost, and what breaks first",
                  .header = HeaderParts(view),
                  .skip_text = "Skip to the figures"};
  std::vector<ReportInput> inputs;
  for (std::size_t at = 0; at < view.figures.layouts.size(); ++at) {
    const LabLayoutFigures& layout = view.figures.layouts[at];
    page.title += (page.title.empty() ? "" : " against ") + layout.name;
    inputs.push_back(layout.input);
    inputs.back().title = MarkedName(view, at);
  }
  page.title = (page.title.empty() ? "No layout" : page.title) + ": layout lab";
  for (const LabPageSection& section : kLabSections) {
    if (section.may_show != nullptr && !section.may_show(view)) continue;
    ReportParts parts = section.parts(view);
    if (parts.empty()) continue;
    page.sections.push_back({section.id,
                             section.name,
                             std::string(section.heading),
                             WithWarmUp(section.intro, view.file),
                             {},
                             std::move(parts)});
  }
  if (!inputs.empty()) {
    for (ReportSection& section : MeasurementSections(ViewsOf(inputs))) {
      page.sections.push_back(std::move(section));
    }
  }
  page.sections.push_back({.id = "notes",
                           .name = "Notes",
                           .heading = "Notes about this lab",
                           .nothing = "Nothing was run."});
  if (!view.figures.notes.empty()) page.sections.back().parts = {ListOf(view.figures.notes)};
  page.skip_id = page.sections.front().id;
  return page;
}

std::string LabHtmlReport(const LabFile& file, const LabResult& result) {
  return HtmlPage(LabPageOf(LabViewOf(file, result)));
}

}  // namespace hashrange
