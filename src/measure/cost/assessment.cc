#include "measure/cost/assessment.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "wire/object_reader.h"

namespace hashrange {
namespace {

constexpr double kMillionUnits = 1e6;

// The rules count with the prices of the standard table class.
UnitPrices UnitPricesOf(const PriceList& prices) {
  return {.read_usd_per_million =
              kMillionUnits * UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, false)),
          .write_usd_per_million =
              kMillionUnits * UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, false)),
          .storage_usd_per_gb_month = UnitUsd(prices, UsageTypeOf(Charge::kStorage, false))};
}

bool HasEachMapOf(const Measurement& all, const Measurement& measurement) {
  return std::ranges::all_of(measurement.partitions, [&](const PartitionMap& map) {
    return std::ranges::any_of(all.partitions, [&](const PartitionMap& other) {
      return other.table == map.table && other.index == map.index;
    });
  });
}

void LeaveOutPartitions(Assessment& assessment) {
  std::erase_if(assessment.limits, [](const LimitRow& row) { return row.what == "partition"; });
  std::erase_if(assessment.findings.findings,
                [](const Finding& finding) { return finding.slug == kPartitionRule; });
  for (RuleAssessment& rule : assessment.findings.rules) {
    if (rule.slug != kPartitionRule) continue;
    rule.state = RuleState::kNotAssessed;
    rule.reason = "How the partitions of the other design would be cut is not known.";
    rule.findings = 0;
  }
}

}  // namespace

Result<AssessmentOptions> ReadAssessmentOptions(const JsonValue& json, std::string_view place) {
  AssessmentOptions options;
  ObjectReader fields(json, std::string(place));
  if (const JsonValue* const names = fields.Member("names")) {
    HR_ASSIGN(options.names, ReadPatternMatches(*names, fields.PlaceOf("names")));
  }
  if (const JsonValue* const rates = fields.Member("rates")) {
    HR_ASSIGN(options.rates, ReadCallRates(*rates, fields.PlaceOf("rates")));
  }
  if (const JsonValue* const prices = fields.Member("prices")) {
    HR_ASSIGN(options.prices, ReadPriceList(*prices));
  }
  const std::string profile = fields.Text("profile", ProfileName(options.profile));
  HR_RETURN_IF_ERROR(fields.Finish());
  HR_ASSIGN(options.profile, ReadRuleProfile(profile));
  return options;
}

Assessment Assess(Measurement measurement, const AssessmentOptions& options) {
  Assessment assessment;
  assessment.measurement = std::move(measurement);
  NamePatterns(options.names, assessment.measurement);
  const Measurement& named = assessment.measurement;
  assessment.costs = ComputeCosts(named, {.prices = options.prices, .rates = options.rates});
  assessment.limits = FirstLimits(named, options.rates);
  assessment.findings = AssessDesign(
      named,
      {.profile = options.profile, .rates = options.rates, .prices = UnitPricesOf(options.prices)});
  return assessment;
}

Comparison CompareNamed(std::vector<Measurement> measurements, const AssessmentOptions& options) {
  for (Measurement& measurement : measurements) NamePatterns(options.names, measurement);
  return Compare(measurements, {.prices = options.prices, .rates = options.rates});
}

void LeaveOutLostPartitions(Assessment& as_is, Assessment& what_if) {
  if (HasEachMapOf(what_if.measurement, as_is.measurement)) return;
  LeaveOutPartitions(as_is);
  LeaveOutPartitions(what_if);
}

std::vector<BudgetViolation> CheckBudgets(Measurement measurement, const Budgets& budgets,
                                          AssessmentOptions options) {
  options.names.insert(options.names.begin(), budgets.names.begin(), budgets.names.end());
  if (!budgets.rates.empty()) options.rates = budgets.rates;
  Assessment assessment = Assess(std::move(measurement), options);
  return CheckBudgets(std::move(assessment.measurement), budgets,
                      {.prices = options.prices, .findings = std::move(assessment.findings)});
}

}  // namespace hashrange
