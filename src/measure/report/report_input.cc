#include "measure/report/report_input.h"

#include <string_view>

#include "measure/number_text.h"
#include "measure/pattern_names.h"

namespace hashrange {

namespace {

void AddLines(const CostPlan& plan, std::string_view billing, ReportedMonth* month) {
  for (const CostLine& line : plan.lines) {
    month->lines.push_back({line.what, line.table, line.index, std::string(billing), line.quantity,
                            line.unit, line.usd, line.method});
  }
}

// Returns a plan for the throughput, with the storage and the streams that each plan has.
ReportedPlan PlanOf(const CostPlan& plan, std::string_view name, const Costs& costs) {
  return {.name = std::string(name),
          .usd = plan.usd + costs.month.streams.usd + costs.storage.usd,
          .units_above_capacity = plan.units_above_capacity};
}

// A month has one bill: each table as it declares to be billed. Beside it are the other plans.
ReportedMonth MonthOf(const Costs& costs) {
  ReportedMonth month;
  month.basis = costs.month.sentence;
  if (costs.month.basis != MonthBasis::kNone) {
    AddLines(costs.month.as_declared, costs.month.as_declared.name, &month);
    AddLines(costs.month.streams, "", &month);
    const CostPlan& autoscaled = costs.month.provisioned;
    month.plans = {PlanOf(costs.month.on_demand, costs.month.on_demand.name, costs),
                   PlanOf(autoscaled, autoscaled.name, costs),
                   PlanOf(costs.month.as_declared, "as the tables are now", costs)};
    month.plans[1].is_modelled = true;
  }
  if (!month.lines.empty()) AddLines(costs.storage, "", &month);
  return month;
}

void AppendPlace(std::string_view part, std::string_view before, std::string* where) {
  if (part.empty()) return;
  if (!where->empty()) where->append(before);
  where->append(part);
}

std::string WhereOf(const FindingPlace& place, const Measurement& measurement) {
  std::string where = place.table.empty() ? std::string() : ResourceText(place.table, place.index);
  for (const PatternMeasure& pattern : measurement.patterns) {
    if (place.pattern.empty() || pattern.id != place.pattern) continue;
    AppendPlace(pattern.name.empty() ? pattern.text : pattern.name, ": ", &where);
  }
  AppendPlace(place.entity, ", ", &where);
  AppendPlace(place.key, ", ", &where);
  return where;
}

std::string CostText(const FindingCost& cost) {
  return UsdText(cost.usd) + " per " + cost.per + ", " + cost.of;
}

ReportedFinding FindingOf(const Finding& finding, const Assessment& assessment) {
  ReportedFinding reported;
  reported.rule = finding.slug;
  reported.severity = SeverityName(finding.severity);
  for (const RuleAssessment& rule : assessment.findings.rules) {
    if (rule.slug == finding.slug) reported.what = rule.what;
  }
  reported.where = WhereOf(finding.place, assessment.measurement);
  reported.evidence = finding.evidence;
  if (finding.cost) reported.cost = CostText(*finding.cost);
  reported.advice = finding.advice;
  reported.method = BasisName(finding.basis);
  return reported;
}

}  // namespace

ReportInput MakeReportInput(const Assessment& assessment) {
  ReportInput input;
  input.measurement = assessment.measurement;
  input.pattern_costs = assessment.costs.patterns;
  input.month = MonthOf(assessment.costs);
  input.first_limits = assessment.limits;
  input.first_limit_assumption = FirstLimitAssumption(assessment.measurement, assessment.limits);
  input.rates_without_calls = assessment.costs.rates_without_calls;
  for (const Finding& finding : assessment.findings.findings) {
    input.findings.push_back(FindingOf(finding, assessment));
  }
  for (const RuleAssessment& rule : assessment.findings.rules) {
    if (rule.state == RuleState::kClean) ++input.clean_rules;
    if (rule.state == RuleState::kNotAssessed) {
      input.not_assessed.push_back({rule.slug, rule.reason});
    }
  }
  for (const std::string& sentence : assessment.costs.assumptions) {
    input.assumptions.push_back({sentence, {}});
  }
  return input;
}

std::vector<ReportInput> MakeReportInputs(std::span<const Assessment> assessments) {
  std::vector<ReportInput> inputs;
  for (const Assessment& assessment : assessments) inputs.push_back(MakeReportInput(assessment));
  return inputs;
}

}  // namespace hashrange
