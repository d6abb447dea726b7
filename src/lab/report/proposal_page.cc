#include "lab/report/proposal_page.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "lab/report/lab_sections.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/proposal_text.h"
#include "lab/yaml/layout_yaml.h"
#include "measure/number_text.h"
#include "measure/report/html_page.h"
#include "measure/report/report_section.h"

namespace hashrange {
namespace {

// "cheapest, 1 index". Some names are the number of indexes.
std::string PointLabel(const ProposedLayout& one) {
  const std::string& name = one.layout.name;
  const std::string indexes = IndexesText(one.indexes);
  return name.starts_with(indexes) ? name : name + ", " + indexes;
}

PointPlot PlotOf(const Proposal& proposal) {
  PointPlot plot{.x_name = "headroom of the keys, × the declared rates",
                 .y_name = "US$ a month",
                 .edge_name = "no limit"};
  for (std::size_t at = 0; at < proposal.layouts.size(); ++at) {
    const ProposedLayout& one = proposal.layouts[at];
    plot.points.push_back({.label = PointLabel(one),
                           .x = one.headroom,
                           .y = one.month_usd,
                           .is_hollow = !one.is_on_front,
                           .is_ringed = one.is_one_table || one.is_table_each});
    if (one.is_on_front) plot.joined.push_back(at);
  }
  return plot;
}

ReportTable FigureTable(const Proposal& proposal) {
  ReportTable table{.caption = "The proposed layouts",
                    .columns = {{"Layout", ColumnKind::kText},
                                {"US$ a month"},
                                {"US$ after a month"},
                                {"Headroom of the keys"},
                                {"Indexes"},
                                {"Tables"},
                                {"Further requests a second"},
                                {"Is", ColumnKind::kText},
                                {"First limit", ColumnKind::kText}}};
  for (const ProposedLayout& one : proposal.layouts) {
    const std::string roles = RolesText(one);
    table.rows.push_back({one.layout.name, AmountText(one.month_usd), AmountText(one.later_usd),
                          HeadroomText(one.headroom),
                          CountText(static_cast<std::uint64_t>(one.indexes)),
                          CountText(one.layout.tables.size()), AmountText(one.further_requests),
                          roles.empty() ? "on the front" : roles, LimitPlaceText(one.first_limit)});
  }
  return table;
}

ReportSection FrontSection(const Proposal& proposal) {
  ReportFigure figure{
      .caption = "US$ a month against headroom, a point for each layout",
      .method = "modelled",
      .note =
          "Lower is cheaper, further to the right carries more. The line joins the layouts that "
          "no other beats in month, headroom and number of indexes at once, the cheapest "
          "first; a hollow point is beaten. A ring marks the best with one table, and the "
          "best with a table for each entity.",
      .title = "US$ a month against headroom of the proposed layouts",
      .description = "One point for each layout; the table below has the figures.",
      .plot = PlotOf(proposal)};
  figure.tables.push_back(FigureTable(proposal));
  ReportSection section{.id = "front",
                        .name = "Proposed layouts",
                        .heading = "The proposed layouts",
                        .intro = "Expected from the declarations alone, before an item is made."};
  section.parts.push_back(std::move(figure));
  if (!proposal.notes.empty()) section.parts.push_back(ListOf(proposal.notes));
  return section;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

ReportSection WhySection(const LabFile& file, const Proposal& proposal) {
  ReportSection section{.id = "why", .name = "Why", .heading = "Why each layout is as it is"};
  for (std::size_t at = 0; at < proposal.layouts.size(); ++at) {
    const ProposedLayout& one = proposal.layouts[at];
    section.parts.push_back(ReportHeading{PointLabel(one)});
    section.parts.push_back(ListOf(WhyOf(proposal, at)));
    section.parts.push_back(ReportDetails{"Its keys, as a lab file has them",
                                          {ReportLines{LinesOf(LayoutYaml(file, one.layout))}}});
  }
  return section;
}

}  // namespace

std::string ProposalHtmlReport(const LabFile& file, const Proposal& proposal,
                               const ProposalRun* run) {
  ReportPage page{.title = "Proposed layouts: layout lab",
                  .eyebrow = "Hashrange layout lab",
                  .heading = "Layouts, found by search",
                  .header = {ReportParagraph{ProposalHeadline(proposal)}},
                  .skip_text = "Skip to the figures",
                  .skip_id = "front"};
  page.sections.push_back(FrontSection(proposal));
  page.sections.push_back(WhySection(file, proposal));
  if (run != nullptr) {
    ReportPage of_run = LabPageOf(LabViewOf(run->file, run->result));
    page.sections.push_back({.id = "run",
                             .name = "The run",
                             .heading = "The run of these layouts",
                             .parts = std::move(of_run.header)});
    std::ranges::move(of_run.sections, std::back_inserter(page.sections));
  }
  return HtmlPage(page);
}

}  // namespace hashrange
