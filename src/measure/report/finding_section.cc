// What a reader has to know beside the figures: findings, assumptions, gaps.

#include <algorithm>
#include <string>
#include <string_view>

#include "measure/number_text.h"
#include "measure/report/measure_sections.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

FindingCard CardOf(const ReportedFinding& finding) {
  return {.severity = finding.severity,
          .what = finding.what,
          .rule = finding.rule,
          .facts = {{"Where", finding.where, {}},
                    {"Seen", finding.evidence, finding.method},
                    {"Costs", finding.cost, {}},
                    {"Do", finding.advice, {}}},
          .summary = finding.what + " " + finding.where + ": " + finding.evidence +
                     (finding.cost.empty() ? "" : " " + finding.cost + ".")};
}

ReportCards CardsOf(const ReportInput& input) {
  ReportCards cards{.most = 6};
  for (const ReportedFinding& finding : input.findings) cards.findings.push_back(CardOf(finding));
  return cards;
}

std::string NotAssessedText(const ReportInput& input) {
  return CountedText(static_cast<double>(input.not_assessed.size()), "rule was", "rules were") +
         " not assessed";
}

// What a measurement left out, because it would have needed too much memory.
struct LeftOut {
  std::uint64_t MeasurementLimits::*count;
  std::string_view one;
  std::string_view several;
};
constexpr LeftOut kLeftOut[] = {
    {&MeasurementLimits::other_patterns, "call is counted in the pattern \"other\".",
     "calls are counted in the pattern \"other\"."},
    {&MeasurementLimits::other_resources, "access of a table or an index without counters.",
     "accesses of tables and indexes without counters."},
    {&MeasurementLimits::open_pages,
     "call with more pages was forgotten, as too many waited for their next page; had it gone on, "
     "that page counts as a call of its own.",
     "calls with more pages were forgotten, as too many waited for their next page; if one of them "
     "went on, that page counts as a call of its own."},
};

}  // namespace

ReportParts FindingParts(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    const ReportInput& input = *view.input;
    if (view.is_one_of_several) parts.push_back(ReportHeading{view.title});
    parts.push_back(
        ReportParagraph{.text = FindingCountsText(input) + "; " +
                                CountedText(static_cast<double>(input.clean_rules), "rule") +
                                " found nothing, " + NotAssessedText(input) + ".",
                        .css_class = "intro"});
    parts.push_back(CardsOf(input));
    if (input.not_assessed.empty()) continue;
    ReportTable table{.caption = "Rules that were not assessed"};
    table.columns = {{"Rule", ColumnKind::kText}, {"Why", ColumnKind::kText}};
    for (const ReportedGap& gap : input.not_assessed) table.rows.push_back({gap.rule, gap.why});
    parts.push_back(ReportDetails{NotAssessedText(input), {std::move(table)}});
  }
  return parts;
}

ReportParts AssumptionParts(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    if (view.is_one_of_several) parts.push_back(ReportHeading{view.title});
    ReportList list =
        ListOf({"KB, MB and GB are multiples of 1,024 bytes; sizes are those of the items "
                "as the service counts them. Times are UTC, on the server's clock."});
    for (const ReportedAssumption& assumption : view.input->assumptions) {
      list.sentences.push_back({assumption.sentence, assumption.method});
    }
    for (const LeftOut& each : kLeftOut) {
      const std::uint64_t count = view.measurement().limits.*each.count;
      if (count == 0) continue;
      list.sentences.push_back(
          {CountedText(static_cast<double>(count), each.one, each.several), {}});
    }
    for (const TableMeasure& table : view.measurement().tables) {
      if (table.walked_share >= 1 || table.items == 0) continue;
      list.sentences.push_back({table.name + ": " + ShareText(table.walked_share) +
                                    " of the items were visited; counts of entities are multiplied "
                                    "up, and what is called the largest is the largest that was "
                                    "seen.",
                                {}});
    }
    parts.push_back(std::move(list));
  }
  return parts;
}

ReportParts TerminalFindings(const ReportInput& input) { return {CardsOf(input)}; }

ReportParts TerminalGaps(const ReportInput& input) {
  constexpr std::size_t kMostGaps = 3;
  ReportParts parts;
  const MeasurementLimits& limits = input.measurement.limits;
  if (limits.other_patterns > 0) {
    parts.push_back(ReportParagraph{
        CountedText(static_cast<double>(limits.other_patterns), "call is", "calls are") +
        " in the pattern \"other\""});
  }
  if (limits.other_resources > 0) {
    parts.push_back(ReportParagraph{
        CountedText(static_cast<double>(limits.other_resources), "access", "accesses") +
        " of tables without counters"});
  }
  std::string names;
  for (const std::string& name : input.rates_without_calls) {
    names += (names.empty() ? "" : "; ") + name;
  }
  parts.push_back(ReportParagraph{.text = names, .lead = "rates of no pattern: "});
  for (std::size_t at = 0; at < std::min(input.not_assessed.size(), kMostGaps); ++at) {
    const ReportedGap& gap = input.not_assessed[at];
    parts.push_back(ReportParagraph{.text = gap.why, .lead = ClippedText(gap.rule, 30) + ": "});
  }
  if (input.not_assessed.size() > kMostGaps) {
    parts.push_back(ReportParagraph{
        "and " +
        CountedText(static_cast<double>(input.not_assessed.size() - kMostGaps), "more rule")});
  }
  if (input.not_assessed.empty()) {
    const bool has_rules = input.clean_rules > 0 || !input.findings.empty();
    parts.push_back(
        ReportParagraph{has_rules ? "every rule was assessed" : "no rule was assessed"});
  }
  return parts;
}

}  // namespace hashrange
