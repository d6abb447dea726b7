#include "measure/report/measure_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "measure/report/html_page.h"
#include "measure/report/measure_sections.h"
#include "measure/report/partition_section.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

// --- The terminal ---

std::string FirstLimitText(const ReportView& view) {
  const std::vector<LimitRow>& limits = view.input->first_limits;
  return limits.empty() ? "not computed" : limits.front().sentence;
}

ReportParts TerminalResources(const ReportView& view) {
  if (view.resources.empty()) return {};
  ReportTable table = ResourceTable(view);
  const std::size_t shown = std::min(table.rows.size(), table.most_rows);
  const bool has_share = std::ranges::any_of(
      view.resources.begin(), view.resources.begin() + static_cast<std::ptrdiff_t>(shown),
      [](const ResourceFigures& resource) { return resource.hottest_key_share > 0; });
  ReportParts parts = {std::move(table)};
  if (has_share) {
    parts.push_back(
        ReportParagraph{.text = "the most that one partition key has of the read units or of the "
                                "write units, scans included",
                        .lead = "hottest key: "});
  }
  return parts;
}

ReportParts PartitionsOfTerminal(const Measurement& measurement) {
  ReportParts parts = TerminalPartitions(measurement);
  if (parts.empty()) return parts;
  parts.push_back(ReportParagraph{
      .text = "the demand, refused accesses included, as a share of what a partition serves: in "
              "its hottest slice of that length, and the moving average at the end",
      .lead = "hottest, now: "});
  return parts;
}

std::vector<ReportSection> OneScreen(const ReportView& view) {
  const ReportInput& input = *view.input;
  std::vector<ReportSection> sections = {{.parts = TerminalHeadline(view)}};
  if (!view.patterns.empty()) AddSection("Patterns by cost", {PatternTable(view)}, sections);
  AddSection("Tables and indexes", TerminalResources(view), sections);
  AddSection("First limit",
             {ReportParagraph{FirstLimitText(view)}, ReportParagraph{input.first_limit_assumption}},
             sections);
  AddSection("Partitions, modelled", PartitionsOfTerminal(input.measurement), sections);
  AddSection("Callers, by requests", TerminalCallers(view), sections);
  AddSection("Findings: " + FindingCountsText(input), TerminalFindings(input), sections);
  AddSection("Not measured, not assessed", TerminalGaps(input), sections);
  return sections;
}

std::vector<ReportSection> SideBySide(ReportViews views) {
  std::vector<ReportSection> sections = {{.parts = {ComparedHeadline(views, ShownIn::kTerminal)}}};
  const std::string& basis = views.front().input->month.basis;
  if (std::ranges::none_of(views, &ReportView::HasMonth)) {
    sections[0].parts.push_back(ReportParagraph{.text = basis, .lead = "A month: "});
  }
  AddSection("US$ per million calls, by pattern", {ComparedPatternTable(views)}, sections);
  ReportParts limits;
  const auto lead_of = [](const ReportView& view) { return ClippedText(view.title, 24) + ": "; };
  for (const ReportView& view : views) {
    limits.push_back(ReportParagraph{.text = FirstLimitText(view), .lead = lead_of(view)});
  }
  for (const ReportView& view : views) {
    limits.push_back(
        ReportParagraph{.text = view.input->first_limit_assumption, .lead = lead_of(view)});
  }
  AddSection("First limit", std::move(limits), sections);
  return sections;
}

// --- The page ---

struct PageSection {
  std::string_view id;
  std::string_view name;  // in the list of contents
  std::string_view heading;
  std::string_view intro;
  std::string_view nothing;  // what the section says if it has nothing to show
  ReportParts (*parts)(ReportViews views);
  // Whether the page has the section; null: it always has.
  bool (*is_shown)(ReportViews views) = nullptr;
  // Returns the introduction in the place of `intro`, where it has figures of the measurements.
  std::string (*make_intro)(ReportViews views) = nullptr;
};

constexpr PageSection kPageSections[] = {
    {"findings", "Findings", "Findings", "", "", FindingParts},
    {"cost", "Cost by pattern", "Cost by access pattern", "", "No call was measured.",
     CostByPattern},
    {"units", "Units a call", "Units a call, by table and index",
     "A write is charged to the table and to each index whose entry changes. An index that takes "
     "much of a bar here, and that few patterns read, is what to look at first.",
     "No units were measured.", UnitsOfCalls},
    {"time", "Over time", "Over time", "", "", TrafficParts},
    {"heat", "Heat", "Heat over keys and time",
     "Keys are placed by the hash of the partition key, as the service spreads them over its "
     "partitions. The stronger the colour, the more units a second.",
     "No key was read or written.", HeatParts},
    {"partitions", "Partitions", "Partitions",
     "A model cuts tables and indexes into partitions and throttles what one partition or all of "
     "them cannot serve. When the service cuts a partition, and when a table on demand grows, is "
     "published nowhere: what depends on it is modelled.",
     "", PartitionParts, HasPartitions},
    {"keys", "Hottest keys", "Hottest keys and first limits", "", "No key was read or written.",
     KeyParts, nullptr, KeyIntro},
    {"collections", "Item collections", "Item collections",
     "All items with one partition key. With a local index a collection ends at 10 GB; without one "
     "it may grow beyond, over several partitions.",
     "No item is stored.", CollectionParts},
    {"entities", "Entities", "Entities",
     "Items whose keys have the same templates and whose type is the same, as they are stored; "
     "what was created, changed and removed is counted since the begin.",
     "No item is stored.", EntityParts},
    {"assumptions", "Assumptions", "Assumptions, and what was not measured",
     "Measured: counted, and multiplied by prices at most. Modelled: what rules or another design "
     "would give. Extrapolated: carried beyond the time or rate that was measured.",
     "", AssumptionParts},
};

}  // namespace

std::string TextReport(std::span<const ReportInput> inputs, const TextReportForm& form) {
  const std::vector<ReportView> views = ViewsOf(inputs);
  return TerminalText(views.size() == 1 ? OneScreen(views.front()) : SideBySide(views), form);
}

std::vector<ReportSection> MeasurementSections(std::span<const ReportView> views) {
  std::vector<ReportSection> sections;
  for (const PageSection& section : kPageSections) {
    if (section.is_shown && !section.is_shown(views)) continue;
    sections.push_back({section.id, section.name, std::string(section.heading),
                        section.make_intro ? section.make_intro(views) : std::string(section.intro),
                        section.nothing, section.parts(views)});
  }
  return sections;
}

std::string HtmlReport(std::span<const ReportInput> inputs) {
  const std::vector<ReportView> views = ViewsOf(inputs);
  ReportPage page{.eyebrow = "What the layout costs",
                  .header = HeaderOfPage(views),
                  .skip_text = "Skip to the findings",
                  .skip_id = "findings",
                  .sections = MeasurementSections(views)};
  for (const ReportView& view : views) {
    page.title += (page.title.empty() ? "" : " against ") + view.title;
    page.names.push_back(view.title);
  }
  page.title += ": what the layout costs";
  return HtmlPage(page);
}

}  // namespace hashrange
