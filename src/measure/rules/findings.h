// Findings: what a measurement says against the design of the tables, by the rules that
// practitioners state (docs/service/21-layout-lab.md, section 5). Each rule is a row of
// design_rules.def. Pure functions of a Measurement; any thread.
//
// A rule is not assessed when the measurement has too little of what the rule judges, it is clean
// when there was enough and nothing was wrong, and otherwise it has findings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/call_rates.h"
#include "measure/measurement.h"

namespace hashrange {

// Whose opinion the rules follow. Each is a bit, as a rule may belong to several.
enum class RuleProfile : std::uint8_t {
  kSingleTable = 1,  // one table for all entities: what is read together is stored together
  kAws = 2,          // a table for each entity, unless there is a reason
};

// Returns the profile of that name, "single-table" or "aws".
// Errors: ValidationException  there is no such profile
Result<RuleProfile> ReadRuleProfile(std::string_view name);

struct UnitPrices {
  double read_usd_per_million = 0.125;
  double write_usd_per_million = 0.625;
  double storage_usd_per_gb_month = 0.25;
};

struct RuleInput {
  RuleProfile profile = RuleProfile::kSingleTable;
  std::vector<CallRate> rates = {};  // at the peak
  UnitPrices prices = {};
};

enum class FindingSeverity : std::uint8_t { kHint, kWarning, kSevere };

// How a figure was got.
enum class FigureBasis : std::uint8_t {
  kMeasured,      // counted, and multiplied by prices at most
  kModelled,      // what another design would have taken
  kExtrapolated,  // carried beyond the time or the rate that was measured
};

// What a finding is about. Texts that say nothing are empty.
struct FindingPlace {
  std::string table = {};
  std::string index = {};
  std::string pattern = {};  // its id
  std::string entity = {};   // "Order (ORDER#{id}, META)"
  std::string key = {};      // a key, a key template or an attribute

  friend bool operator==(const FindingPlace&, const FindingPlace&) = default;
};

struct FindingCost {
  double usd = 0;
  std::string per = {};  // "million calls of this mix", "month"
  std::string of = {};   // "reading what the filter drops"
  FigureBasis basis = FigureBasis::kMeasured;
};

struct Finding {
  std::int64_t rule = 0;
  std::string slug = {};
  FindingSeverity severity = FindingSeverity::kHint;
  FindingPlace place = {};
  std::string evidence = {};  // a sentence with the figures
  FigureBasis basis = FigureBasis::kMeasured;
  std::optional<FindingCost> cost = {};
  std::string advice = {};  // what to do: a sentence
};

enum class RuleState : std::uint8_t { kNotAssessed, kClean, kFound };

struct RuleAssessment {
  std::int64_t rule = 0;
  std::string slug = {};
  std::string what = {};
  RuleState state = RuleState::kNotAssessed;
  std::string reason = {};     // why the rule was not assessed: a sentence
  std::uint64_t findings = 0;  // how many it has, left out ones included
};

inline constexpr std::size_t kMostFindingsOfRule = 20;
// The rule that judges modelled partitions. Its findings differ from run to run.
inline constexpr std::string_view kPartitionRule = "hot-partition";

struct DesignFindings {
  RuleProfile profile = RuleProfile::kSingleTable;
  std::vector<RuleAssessment> rules = {};  // of the profile, in the order of the table
  // The most severe first; of these, the dearest first, whatever the cost is of. Of one rule at
  // most kMostFindingsOfRule; the last of these says how many are left out.
  std::vector<Finding> findings = {};
};

// Returns what each rule of the profile says.
// Cost: O(patterns × entities × key templates) at worst and O(entities²): milliseconds for dozens
//       of each, one or two seconds for 1,000 of each. No rule looks at single items.
DesignFindings AssessDesign(const Measurement& measurement, const RuleInput& input);

// Returns the words "hint", "warning", "severe".
std::string_view SeverityName(FindingSeverity severity);
// Returns the words "measured", "modelled", "extrapolated".
std::string_view BasisName(FigureBasis basis);
// Returns the words "single-table", "aws".
std::string_view ProfileName(RuleProfile profile);

}  // namespace hashrange
