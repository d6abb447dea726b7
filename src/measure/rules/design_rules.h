// The table of design rules, as values. Only findings.cc, the rules themselves and what lists the
// rules need it. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/rules/findings.h"

namespace hashrange {

// What one rule saw. The rule's number, slug and advice are put in by AssessDesign.
struct RuleOutcome {
  // Why there is nothing to judge: a sentence. It holds while has_evidence is false.
  std::string missing = {};
  bool has_evidence = false;
  std::vector<Finding> findings = {};

  // Adds a finding; who found something had evidence.
  Finding& Add(FindingSeverity severity, FindingPlace place, std::string evidence);
};

// A row of design_rules.def.
struct DesignRule {
  std::int64_t number;      // in docs/service/21-layout-lab.md, section 5
  std::string_view slug;    // by which budgets name the rule; no two rows have the same
  unsigned profiles;        // bits of RuleProfile
  std::string_view what;    // a sentence
  std::string_view advice;  // a sentence
  RuleOutcome (*assess)(const Measurement& measurement, const RuleInput& input);

  bool IsIn(RuleProfile profile) const { return (profiles & static_cast<unsigned>(profile)) != 0; }
};

// Returns all rows, in the order of the table.
std::span<const DesignRule> DesignRules();

// Each returns what its rule sees in the measurement.
#define HR_DESIGN_RULE(number, slug, profiles, function, what, advice) \
  RuleOutcome function(const Measurement& measurement, const RuleInput& input);
#include "measure/rules/design_rules.def"

}  // namespace hashrange
