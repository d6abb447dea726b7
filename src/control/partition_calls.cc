// partitions: the calls that set for which tables partitions are modelled, and that describe them.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/control_call.h"
#include "control/control_json.h"
#include "control/enforcement_scope_json.h"
#include "control/partition_parameters_json.h"
#include "control/routes.h"
#include "control/scope.h"
#include "engine/engine.h"
#include "measure/measurement_json.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/throughput.h"

namespace hashrange {
namespace {

// By PartitionMode.
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
  answer.Name("resources");
  answer.BeginArray();
  for (const PartitionMap& map : maps) WritePartitionMap(map, answer);
  answer.EndArray();
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
  answer.Name("rules");
  answer.BeginArray();
  for (const PartitionRule& rule : rules) WriteRule(rule, answer);
  answer.EndArray();
  answer.Name("tables");
  answer.BeginArray();
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
