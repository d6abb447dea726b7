#include <string>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"

namespace hashrange {
namespace {

void WriteFinding(const ReportedFinding& finding, HtmlWriter& html) {
  html.Open("li", {{"class", "finding " + finding.severity}});
  html.Open("p", {{"class", "what"}});
  html.Element("span", finding.severity, {{"class", "severity"}});
  html.Text(finding.what);
  html.Raw(" ");
  html.Element("span", finding.rule, {{"class", "rule"}});
  html.Close("p");
  html.Open("dl");
  struct Line {
    std::string_view name;
    const std::string& text;
    std::string_view method = {};
  };
  for (const Line& line :
       {Line{"Where", finding.where}, Line{"Seen", finding.evidence, finding.method},
        Line{"Costs", finding.cost}, Line{"Do", finding.advice}}) {
    if (line.text.empty()) continue;
    html.Element("dt", line.name);
    html.Open("dd");
    html.Element("bdi", line.text);
    if (!line.method.empty()) {
      html.Raw(" ");
      WriteMethod(line.method, html);
    }
    html.Close("dd");
  }
  html.Close("dl");
  html.Close("li");
}

std::string NotAssessedText(const ReportInput& input) {
  return CountedText(static_cast<double>(input.not_assessed.size()), "rule was", "rules were") +
         " not assessed";
}

void WriteGaps(const ReportInput& input, HtmlWriter& html) {
  if (input.not_assessed.empty()) return;
  FigureTable table{.caption = "Rules that were not assessed"};
  table.columns = {{"Rule", ColumnKind::kText}, {"Why", ColumnKind::kText}};
  for (const ReportedGap& gap : input.not_assessed) table.rows.push_back({gap.rule, gap.why});
  html.Open("details");
  html.Element("summary", NotAssessedText(input));
  WriteTable(table, html);
  html.Close("details");
}

void WriteLimits(const Measurement& measurement, HtmlWriter& html) {
  struct Limit {
    std::uint64_t count;
    std::string_view one;
    std::string_view several;
  };
  const MeasurementLimits& limits = measurement.limits;
  for (const Limit& limit :
       {Limit{limits.other_patterns, "call is counted in the pattern \"other\".",
              "calls are counted in the pattern \"other\"."},
        Limit{limits.other_resources, "access of a table or an index without counters.",
              "accesses of tables and indexes without counters."},
        Limit{limits.open_pages,
              "call with more pages was forgotten, as too many waited for their next page; had it "
              "gone on, that page counts as a call of its own.",
              "calls with more pages were forgotten, as too many waited for their next page; if "
              "one of them went on, that page counts as a call of its own."}}) {
    if (limit.count == 0) continue;
    html.Element("li", CountedText(static_cast<double>(limit.count), limit.one, limit.several));
  }
  for (const TableMeasure& table : measurement.tables) {
    if (table.walked_share >= 1 || table.items == 0) continue;
    html.Element("li", table.name + ": " + ShareText(table.walked_share) +
                           " of the items were visited; counts of entities are multiplied up, and "
                           "what is called the largest is the largest that was seen.");
  }
}

}  // namespace

void WriteFindings(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    WriteViewTitle(views, view, html);
    const ReportInput& input = *view.input;
    html.Element("p",
                 FindingCountsText(input) + "; " +
                     CountedText(static_cast<double>(input.clean_rules), "rule") +
                     " found nothing, " + NotAssessedText(input) + ".",
                 {{"class", "intro"}});
    html.Open("ol", {{"class", "findings"}});
    for (const ReportedFinding& finding : input.findings) WriteFinding(finding, html);
    html.Close("ol");
    WriteGaps(input, html);
  }
}

void WriteAssumptions(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    WriteViewTitle(views, view, html);
    html.Open("ul", {{"class", "assumptions"}});
    html.Element("li",
                 "KB, MB and GB are multiples of 1,024 bytes; sizes are those of the items "
                 "as the service counts them. Times are UTC, on the server's clock.");
    for (const ReportedAssumption& assumption : view.input->assumptions) {
      html.Open("li");
      html.Text(assumption.sentence);
      html.Raw(" ");
      if (!assumption.method.empty()) WriteMethod(assumption.method, html);
      html.Close("li");
    }
    WriteLimits(view.measurement(), html);
    html.Close("ul");
  }
}

}  // namespace hashrange
