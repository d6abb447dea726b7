#include "report/html_report.h"

#include <string_view>
#include <vector>

#include "report/html_sections.h"
#include "report/html_writer.h"
#include "report/report_style.h"

namespace hashrange {
namespace {

struct Section {
  std::string_view id;
  std::string_view name;  // in the list of contents
  void (*write)(std::span<const ReportView> views, HtmlWriter& html);
};

constexpr Section kSections[] = {
    {"findings", "Findings", WriteFindings},
    {"cost", "Cost by pattern", WriteCostByPattern},
    {"units", "Units a call", WriteUnitsOfCalls},
    {"time", "Over time", WriteTraffic},
    {"heat", "Heat", WriteHeat},
    {"keys", "Hottest keys", WriteHottestKeys},
    {"collections", "Item collections", WriteCollections},
    {"entities", "Entities", WriteEntities},
    {"assumptions", "Assumptions", WriteAssumptions},
};

// Even if a text of the traffic were not escaped somewhere, the browser would run and load nothing.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n";

void WriteContents(HtmlWriter& html) {
  html.Open("nav", {{"aria-label", "Contents"}});
  html.Open("ul");
  for (const Section& section : kSections) {
    html.Open("li");
    html.Element("a", section.name, {{"href", "#" + std::string(section.id)}});
    html.Close("li");
  }
  html.Close("ul");
  html.Close("nav");
}

std::string PageTitle(const std::vector<ReportView>& views) {
  std::string title;
  for (const ReportView& view : views) {
    if (!title.empty()) title += " against ";
    title += view.title;
  }
  return title + ": what the layout costs";
}

}  // namespace

std::string HtmlReport(std::span<const ReportInput> inputs) {
  const std::vector<ReportView> views = ViewsOf(inputs);
  HtmlWriter html;
  html.Raw(kHead);
  html.Element("title", PageTitle(views));
  html.Raw("<style>");
  html.Raw(kReportStyle);
  html.Raw("</style>\n</head>\n<body>\n");
  html.Element("a", "Skip to the findings", {{"class", "skip"}, {"href", "#findings"}});
  html.Raw(kReportHatchings);
  WriteHeadline(views, html);
  WriteContents(html);
  html.Open("main");
  for (const Section& section : kSections) section.write(views, html);
  html.Close("main");
  html.Raw("</body>\n</html>\n");
  return html.Take();
}

}  // namespace hashrange
