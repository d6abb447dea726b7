#include "measure/report/html_report.h"

#include <string_view>
#include <vector>

#include "measure/report/html_page.h"
#include "measure/report/html_sections.h"
#include "measure/report/html_writer.h"

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
     "One partition serves 1,000 write units and 3,000 read units a second, of eventually "
     "consistent "
     "reads 4,500, and all items with one partition key begin in one partition. A key that nears "
     "these lines is throttled however much "
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

std::string PageTitle(const std::vector<ReportView>& views) {
  std::string title;
  for (const ReportView& view : views) {
    if (!title.empty()) title += " against ";
    title += view.title;
  }
  return title + ": what the layout costs";
}

}  // namespace

std::vector<PageSection> ReportSections(std::span<const ReportView> views) {
  std::vector<PageSection> sections;
  for (const Section& section : kSections) {
    if (section.is_shown && !section.is_shown(views)) continue;
    sections.push_back({section.id, section.name, section.heading, section.intro, section.nothing,
                        [&section, views](HtmlWriter& html) { section.write(views, html); }});
  }
  return sections;
}

std::string HtmlReport(std::span<const ReportInput> inputs) {
  const std::vector<ReportView> views = ViewsOf(inputs);
  return HtmlPage({.title = PageTitle(views),
                   .skip_text = "Skip to the findings",
                   .skip_id = "findings",
                   .write = [&](HtmlWriter& html) { WriteHeadline(views, html); }},
                  ReportSections(views));
}

}  // namespace hashrange
