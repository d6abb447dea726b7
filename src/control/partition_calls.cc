// partitions: the calls that set for which tables partitions are modelled, and that describe them.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "engine/engine.h"
#include "measure/measurement_json.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/partitions/partition_parameters.h"
#include "simulation/throughput.h"
#include "simulation/throughput_rules.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::string_view kPlace = "\"parameters\"";
constexpr std::string_view kKeyRangeError = "key_range_error";
constexpr ErrorCode kKeyRangeErrors[] = {ErrorCode::kThrottlingException,
                                         ErrorCode::kProvisionedThroughputExceededException,
                                         ErrorCode::kRequestLimitExceeded};

using Parameters = PartitionParameters;

bool IsTime(const WholePartitionParameter& row) {
  return row.kind == PartitionParameterKind::kTime;
}

std::vector<Member> AllMembers() {
  std::vector<Member> members;
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    members.push_back({row.name, IsTime(row) ? MemberType::kDuration : MemberType::kWhole});
  }
  for (const SharePartitionParameter& row : kSharePartitionParameters) {
    members.push_back({row.name, MemberType::kNumber});
  }
  members.push_back({kSplitDelayParameter, MemberType::kAny});
  members.push_back({kKeyRangeError, MemberType::kText});
  return members;
}

Error OutOfRange(std::string_view name, std::string_view range) {
  return ValidationError(
      Quoted(name).append(" in ").append(kPlace).append(" is ").append(range).append("."));
}

Status ReadWholes(const ControlObject& json, Parameters* parameters) {
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    const auto value = IsTime(row) ? json.DurationMs(row.name) : json.Whole(row.name);
    if (!value) continue;
    if (*value < row.least || *value > row.greatest) return OutOfRange(row.name, row.range);
    parameters->*row.value = *value;
  }
  return {};
}

Status ReadShares(const ControlObject& json, Parameters* parameters) {
  for (const SharePartitionParameter& row : kSharePartitionParameters) {
    const auto value = json.Number(row.name);
    if (!value) continue;
    if (!(*value > 0 && *value <= row.greatest)) return OutOfRange(row.name, row.range);
    parameters->*row.value = *value;
  }
  return {};
}

Status ReadSplitDelay(const ControlObject& json, Parameters* parameters) {
  HR_ASSIGN(const std::optional<DelayRange> delays, ReadDelays(json, kSplitDelayParameter, kPlace));
  if (!delays) return {};
  if (delays->max_ms > kLongestPartitionTimeMs) {
    return OutOfRange(kSplitDelayParameter, "at most 30d");
  }
  parameters->least_split_delay_ms = delays->min_ms;
  parameters->greatest_split_delay_ms = delays->max_ms;
  return {};
}

Status ReadKeyRangeError(const ControlObject& json, std::optional<ErrorCode>* error) {
  const auto name = json.Text(kKeyRangeError);
  if (!name) return {};
  const auto code = FindErrorCode(*name);
  if (!code || std::ranges::find(kKeyRangeErrors, *code) == std::end(kKeyRangeErrors)) {
    std::vector<std::string_view> names;
    for (const ErrorCode each : kKeyRangeErrors) names.push_back(ErrorInfoOf(each).name);
    return OutOfRange(kKeyRangeError, QuotedList(names, "or"));
  }
  *error = code;
  return {};
}

// Sets the parameters of the rule, and its error for key ranges, that the object gives.
// Errors: ValidationException  `json` is no object; a member is unknown, has another type, or is
//         not in its range
Status ReadPartitionParameters(const JsonValue& json, PartitionRule* rule) {
  HR_ASSIGN(const ControlObject parameters, ReadObject(json, AllMembers(), kPlace));
  HR_RETURN_IF_ERROR(ReadWholes(parameters, &rule->parameters));
  HR_RETURN_IF_ERROR(ReadShares(parameters, &rule->parameters));
  HR_RETURN_IF_ERROR(ReadSplitDelay(parameters, &rule->parameters));
  return ReadKeyRangeError(parameters, &rule->key_range_error);
}

// Writes an object of the parameters that are not as they are by default. Times are milliseconds.
void WritePartitionParameters(const PartitionRule& rule, JsonWriter& answer) {
  const Parameters& own = rule.parameters;
  const Parameters by_default;
  answer.BeginObject();
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    if (own.*row.value != by_default.*row.value) answer.IntegerMember(row.name, own.*row.value);
  }
  for (const SharePartitionParameter& row : kSharePartitionParameters) {
    if (own.*row.value == by_default.*row.value) continue;
    answer.DoubleMember(row.name, own.*row.value);
  }
  const DelayRange delays{own.least_split_delay_ms, own.greatest_split_delay_ms};
  const DelayRange usual{by_default.least_split_delay_ms, by_default.greatest_split_delay_ms};
  if (delays != usual) WriteDelays(kSplitDelayParameter, delays, answer);
  if (rule.key_range_error) {
    answer.StringMember(kKeyRangeError, ErrorInfoOf(*rule.key_range_error).name);
  }
  answer.EndObject();
}

// The names are in the order of PartitionMode.
constexpr std::string_view kModes[] = {"watch", "enforce"};

std::optional<PartitionMode> ModeOf(std::string_view name) {
  const auto mode = std::ranges::find(kModes, name);
  if (mode == std::end(kModes)) return std::nullopt;
  return static_cast<PartitionMode>(mode - std::begin(kModes));
}

void WriteModeAndSeed(const PartitionRule& rule, JsonWriter& answer) {
  answer.StringMember("mode", kModes[static_cast<std::size_t>(rule.mode)]);
  answer.IntegerMember("seed", static_cast<std::int64_t>(rule.seed));
}

void WriteRule(const PartitionRule& rule, JsonWriter& answer) {
  answer.BeginObject();
  WriteEnforcementScope(rule.scope, answer);
  WriteModeAndSeed(rule, answer);
  answer.Name("parameters");
  WritePartitionParameters(rule, answer);
  answer.EndObject();
}

void WriteTable(const TableVersion& table, const PartitionRule& rule,
                const std::vector<PartitionMap>& maps, JsonWriter& answer) {
  answer.BeginObject();
  WriteTableIdentity(table, answer);
  WriteModeAndSeed(rule, answer);
  WriteList("resources", maps, answer,
            [&](const PartitionMap& map) { WritePartitionMap(map, answer); });
  answer.EndObject();
}

bool AreEqualUnlessEmpty(std::string_view a, std::string_view b) {
  return a.empty() || b.empty() || a == b;
}

// Returns whether there may be a table that is in both scopes.
bool Overlap(const EnforcementScope& a, const EnforcementScope& b) {
  return AreEqualUnlessEmpty(a.account_id, b.account_id) &&
         AreEqualUnlessEmpty(a.region, b.region) && AreEqualUnlessEmpty(a.table, b.table);
}

// Writes the rules about tables of the scope, and the partitions of the tables of the scope that
// these rules are about.
ControlResult WritePartitions(ControlCall& call, const EnforcementScope& scope,
                              JsonWriter& answer) {
  Throughput& throughput = call.parts.throughput;
  std::vector<PartitionRule> rules = throughput.ListPartitionRules();
  std::erase_if(rules, [&](const PartitionRule& rule) { return !Overlap(rule.scope, scope); });
  answer.BeginObject();
  WriteList("rules", rules, answer, [&](const PartitionRule& rule) { WriteRule(rule, answer); });
  answer.BeginArray("tables");
  for (const TableRef& table : call.parts.engine.catalog().TablesOf({})) {
    if (!scope.Contains(*table)) continue;
    // The latest rule decides.
    const auto rule = std::find_if(rules.rbegin(), rules.rend(), [&](const PartitionRule& each) {
      return each.scope.Contains(*table);
    });
    if (rule == rules.rend()) continue;
    WriteTable(*table, *rule, throughput.PartitionMapsOf(*table), answer);
  }
  answer.EndArray();
  answer.EndObject();
  return {};
}

}  // namespace

ControlResult DescribePartitions(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const EnforcementScope scope,
            ReadEnforcementScope(call.request.query, call.parts.shared_tables, call.arena));
  return WritePartitions(call, scope, answer);
}

ControlResult ModelPartitions(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {kAccountMember,
                                 kRegionMember,
                                 kTableMember,
                                 {"mode", MemberType::kText, true},
                                 {"parameters", MemberType::kObject},
                                 {"seed", MemberType::kWhole}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  PartitionRule rule;
  HR_ASSIGN(rule.scope, ReadEnforcementScope(body, call.parts.shared_tables));
  const auto mode = ModeOf(*body.Text("mode"));
  if (!mode) return ControlError(400, R"("mode" is "watch" or "enforce".)");
  rule.mode = *mode;
  if (const JsonValue* const parameters = body.Find("parameters")) {
    HR_RETURN_IF_ERROR(ReadPartitionParameters(*parameters, &rule));
  }
  rule.seed = static_cast<std::uint64_t>(body.Whole("seed").value_or(0));
  const EnforcementScope scope = rule.scope;
  HR_RETURN_IF_ERROR(call.parts.throughput.ModelPartitions(std::move(rule)));
  return WritePartitions(call, scope, answer);
}

ControlResult EndPartitions(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {kAccountMember, kRegionMember, kTableMember};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const EnforcementScope scope, ReadEnforcementScope(body, call.parts.shared_tables));
  call.parts.throughput.EndPartitions(scope);
  return WritePartitions(call, scope, answer);
}

}  // namespace hashrange
