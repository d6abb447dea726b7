#include "measure/rules/findings.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/stable_sort.h"
#include "measure/number_text.h"
#include "measure/rules/design_rules.h"

namespace hashrange {
namespace {

constexpr std::pair<RuleProfile, std::string_view> kProfiles[] = {
    {RuleProfile::kSingleTable, "single-table"},
    {RuleProfile::kAws, "aws"},
};

bool PrecedesInList(const Finding& a, const Finding& b) {
  const double a_usd = a.cost ? a.cost->usd : 0;
  const double b_usd = b.cost ? b.cost->usd : 0;
  return std::tuple(b.severity, b_usd, a.rule) < std::tuple(a.severity, a_usd, b.rule);
}

// Drops the least of the findings, if there are too many.
void LimitFindings(std::vector<Finding>* findings) {
  if (findings->size() <= kMostFindingsOfRule) return;
  StableSort(*findings, PrecedesInList);
  const std::size_t left_out = findings->size() - kMostFindingsOfRule;
  findings->resize(kMostFindingsOfRule);
  findings->back().evidence +=
      " The rule has " + CountedText(left_out, "more finding") + " besides.";
}

RuleState StateOf(const RuleOutcome& outcome) {
  if (!outcome.has_evidence) return RuleState::kNotAssessed;
  return outcome.findings.empty() ? RuleState::kClean : RuleState::kFound;
}

// Returns what is wrong by a rule, with the units that the partitions of the tables serve.
std::string WithPartitionUnits(std::string_view what, const Measurement& measurement) {
  constexpr std::pair<std::string_view, double PartitionLimits::*> kPlaceholders[] = {
      {"{write_units}", &PartitionLimits::write_units},
      {"{read_units}", &PartitionLimits::read_units},
  };
  std::string text(what);
  for (const auto& [name, units] : kPlaceholders) {
    const std::size_t at = text.find(name);
    if (at == text.npos) continue;
    text.replace(at, name.size(), UnitsRangeText(RangeOfTables(measurement, units)));
  }
  return text;
}

}  // namespace

DesignFindings AssessDesign(const Measurement& measurement, const RuleInput& input) {
  DesignFindings result{.profile = input.profile};
  for (const DesignRule& rule : DesignRules()) {
    if (!rule.IsIn(input.profile)) continue;
    RuleOutcome outcome = rule.assess(measurement, input);
    RuleAssessment& assessment = result.rules.emplace_back();
    assessment.rule = rule.number;
    assessment.slug = rule.slug;
    assessment.what = WithPartitionUnits(rule.what, measurement);
    assessment.state = StateOf(outcome);
    if (assessment.state == RuleState::kNotAssessed) assessment.reason = std::move(outcome.missing);
    assessment.findings = outcome.findings.size();
    LimitFindings(&outcome.findings);
    for (Finding& finding : outcome.findings) {
      finding.rule = rule.number;
      finding.slug = rule.slug;
      if (finding.advice.empty()) finding.advice = rule.advice;
      result.findings.push_back(std::move(finding));
    }
  }
  StableSort(result.findings, PrecedesInList);
  return result;
}

Result<RuleProfile> ReadRuleProfile(std::string_view name) {
  for (const auto& [profile, known] : kProfiles) {
    if (name == known) return profile;
  }
  return ValidationError("There is no profile \"" + std::string(name) +
                         "\". The profiles are single-table and aws.");
}

std::string_view ProfileName(RuleProfile profile) {
  return profile == RuleProfile::kAws ? "aws" : "single-table";
}

std::string_view SeverityName(FindingSeverity severity) {
  constexpr std::string_view kNames[] = {"hint", "warning", "severe"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::string_view BasisName(FigureBasis basis) {
  constexpr std::string_view kNames[] = {"measured", "modelled", "extrapolated"};
  return kNames[static_cast<std::size_t>(basis)];
}

}  // namespace hashrange
