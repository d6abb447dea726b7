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
  std::string_view heading;
  std::string_view intro;
  std::string_view nothing;  // what the section says if it has nothing to show
  void (*write)(std::span<const ReportView> views, HtmlWriter& html);
  // Whether the page has the section; null: it always has.
  bool (*is_shown)(std::span<const ReportView> views) = nullptr;
};

constexpr Section kSections[] = {
    {"findings", "Findings", "Findings", "", "", WriteFindings},
    {"cost", "Cost by pattern", "Cost by access pattern", "", "No call was measured.",
     WriteCostByPattern},
    {"units", "Units a call", "Units a call, by table and index",
     "A write is charged to the table and to each index whose entry changes. An index that takes "
     "much of a bar here, and that few patterns read, is what to look at first.",
     "No units were measured.", WriteUnitsOfCalls},
    {"time", "Over time", "Over time", "", "", WriteTraffic},
    {"heat", "Heat", "Heat over keys and time",
     "Keys are placed by the hash of the partition key, as the service spreads them over its "
     "partitions. The stronger the colour, the more units a second.",
     "No key was read or written.", WriteHeat},
    {"partitions", "Partitions", "Partitions",
     "A model cuts tables and indexes into partitions and throttles what one partition or all of "
     "them cannot serve. When the service cuts a partition, and when a table on demand grows, is "
     "published nowhere: what depends on it is modelled.",
     "", WritePartitions, HasPartitions},
    {"keys", "Hottest keys", "Hottest keys and first limits",
     "One partition serves 1,000 write units and 3,000 read units a second, and all items with one "
     "partition key begin in one partition. A key that nears these lines is throttled however much "
     "the table may use.",
     "No key was read or written.", WriteHottestKeys},
    {"collections", "Item collections", "Item collections",
     "All items with one partition key. With a local index a collection ends at 10 GB; without one "
     "it may grow beyond, over several partitions.",
     "No item is stored.", WriteCollections},
    {"entities", "Entities", "Entities",
     "Items whose keys have the same templates and whose type is the same, as they are stored; "
     "what "
     "was created, changed and removed is counted since the begin.",
     "No item is stored.", WriteEntities},
    {"assumptions", "Assumptions", "Assumptions, and what was not measured",
     "Measured: counted, and multiplied by prices at most. Modelled: what rules or another design "
     "would give. Extrapolated: carried beyond the time or rate that was measured.",
     "", WriteAssumptions},
};

// Even if a text of the traffic were not escaped somewhere, the browser would run and load nothing.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n";

bool IsShown(const Section& section, std::span<const ReportView> views) {
  return section.is_shown == nullptr || section.is_shown(views);
}

void WriteContents(std::span<const ReportView> views, HtmlWriter& html) {
  html.Open("nav", {{"aria-label", "Contents"}});
  html.Open("ul");
  for (const Section& section : kSections) {
    if (!IsShown(section, views)) continue;
    html.Open("li");
    html.Element("a", section.name, {{"href", "#" + std::string(section.id)}});
    html.Close("li");
  }
  html.Close("ul");
  html.Close("nav");
}

void WriteSection(const Section& section, std::span<const ReportView> views, HtmlWriter& html) {
  const std::string heading = std::string(section.id) + "-heading";
  html.Open("section", {{"id", section.id}, {"aria-labelledby", heading}});
  html.Element("h2", section.heading, {{"id", heading}});
  if (!section.intro.empty()) html.Element("p", section.intro, {{"class", "intro"}});
  const std::size_t before = html.size();
  section.write(views, html);
  if (html.size() == before) html.Element("p", section.nothing);
  html.Close("section");
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
  WriteContents(views, html);
  html.Open("main");
  for (const Section& section : kSections) {
    if (IsShown(section, views)) WriteSection(section, views, html);
  }
  html.Close("main");
  html.Raw("</body>\n</html>\n");
  return html.Take();
}

}  // namespace hashrange
