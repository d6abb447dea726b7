#include <string>
#include <vector>

#include "lab/report/lab_html_sections.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_verdict.h"
#include "measure/report/html_page.h"
#include "measure/report/html_sections.h"

namespace hashrange {
namespace {

struct LabSection {
  PageSection section;
  void (*write)(const LabPage& page, HtmlWriter& html);
  bool (*is_shown)(const LabPage& page);
};

bool HasLayouts(const LabPage& page) { return !page.figures.layouts.empty(); }

std::vector<LabSection> LabSections() {
  return {
      {{"layouts", "Side by side", "The layouts side by side", "", ""},
       WriteLayoutsSideBySide,
       HasLayouts},
      {{"limits", "Limits", "Limits of the file that do not hold", "", ""},
       WriteLimitsOfLayouts,
       [](const LabPage& page) { return !page.violations.empty(); }},
      {{"patterns", "Units by pattern", "Units a call, by pattern and layout",
        "All requests of a call together: shards, pages, look-ups, fetches. r are read units, w "
        "are "
        "write units.",
        ""},
       WriteUnitsOfPatterns,
       HasLayouts},
      {{"endpoint", "Endpoint", "The same calls at an endpoint",
        "Each call began at its instant; its latency is counted from there, within 3 %. Units are "
        "those that the endpoint reported, or where it reported none, those of the twin.",
        ""},
       WriteCallsAtEndpoint,
       [](const LabPage& page) { return page.result.endpoint.has_value(); }},
      {{"growth", "Growth", "Units a call as the data grow", "", ""},
       WriteGrowth,
       [](const LabPage& page) { return !page.figures.scales.empty(); }},
      {{"trials", "First limits", "What breaks first, and whether it does",
        "The first limit is computed; the traffic is then run below it and above it. Throttles "
        "are "
        "those of modelled partitions.",
        ""},
       WriteTrials,
       HasLayouts},
      {{"plans", "Requests", "How each pattern is served",
        "The requests are exactly those that were made; what a call puts in stands in braces.", ""},
       WritePlans,
       HasLayouts},
  };
}

void WriteHeader(const LabVerdict& verdict, HtmlWriter& html) {
  html.Open("header");
  html.Element("p", "Hashrange layout lab", {{"class", "eyebrow"}});
  html.Element("h1", "Which layout, at what cost, and what breaks first");
  html.Element("p", verdict.headline);
  if (!verdict.reasons.empty()) {
    html.Open("ul", {{"class", "assumptions"}});
    for (const std::string& reason : verdict.reasons) html.Element("li", reason);
    html.Close("ul");
  }
  html.Element("p", VerdictRule(), {{"class", "note"}});
  html.Close("header");
}

std::string TitleOfPage(const LabFigures& figures) {
  std::string title;
  for (const LabLayoutFigures& layout : figures.layouts) {
    title += (title.empty() ? "" : " against ") + layout.name;
  }
  return (title.empty() ? "No layout" : title) + ": layout lab";
}

}  // namespace

std::string LabHtmlReport(const LabFile& file, const LabResult& result) {
  const LabFigures figures = MakeLabFigures(file, result);
  const std::vector<LabViolation> violations = CheckLabLimits(file, figures);
  const LabVerdict verdict = JudgeLayouts(figures, violations);
  const LabPage page{file, result, figures, violations};
  std::vector<ReportInput> inputs;
  for (const LabLayoutFigures& layout : figures.layouts) inputs.push_back(layout.input);
  const std::vector<ReportView> views = ViewsOf(inputs);
  std::vector<PageSection> sections;
  for (const LabSection& each : LabSections()) {
    if (!each.is_shown(page)) continue;
    PageSection& section = sections.emplace_back(each.section);
    section.write = [&page, write = each.write](HtmlWriter& html) { write(page, html); };
  }
  if (!views.empty()) {
    for (PageSection& section : ReportSections(views)) sections.push_back(std::move(section));
  }
  sections.push_back({"notes", "Notes", "Notes about this lab", "", "Nothing was run.",
                      [&page](HtmlWriter& html) { WriteLabNotes(page, html); }});
  return HtmlPage({.title = TitleOfPage(figures),
                   .skip_text = "Skip to the figures",
                   .skip_id = sections.front().id,
                   .write = [&](HtmlWriter& html) { WriteHeader(verdict, html); }},
                  sections);
}

}  // namespace hashrange
