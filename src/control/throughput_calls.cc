// throughput: the calls that set whether tables are limited to their provisioned throughput.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/call_input.h"
#include "control/routes.h"
#include "engine/engine.h"
#include "simulation/gate_chain.h"
#include "simulation/throughput.h"

namespace hashrange {
namespace {

void WriteRule(const EnforcementRule& rule, JsonWriter& answer) {
  answer.BeginObject();
  WriteEnforcementScope(rule.scope, answer);
  answer.BoolMember("enforce", rule.is_enforced);
  answer.EndObject();
}

void WriteBucket(std::string_view name, const std::optional<BucketState>& bucket,
                 JsonWriter& answer) {
  if (!bucket) return;
  answer.BeginObject(name);
  answer.IntegerMember("units_per_second", bucket->units_per_second);
  answer.DoubleMember("units_left", bucket->units_left);
  answer.IntegerMember("throttled", bucket->throttled);
  answer.EndObject();
}

// `states` begins with the state of the table itself; the states of its global indexes follow.
void WriteTable(const TableVersion& table, const std::vector<ResourceState>& states,
                JsonWriter& answer) {
  answer.BeginObject();
  WriteTableIdentity(table, answer);
  WriteBucket("read", states[0].read, answer);
  WriteBucket("write", states[0].write, answer);
  answer.BeginObject("indexes");
  for (std::size_t i = 1; i < states.size(); ++i) {
    answer.BeginObject(states[i].index);
    WriteBucket("read", states[i].read, answer);
    WriteBucket("write", states[i].write, answer);
    answer.EndObject();
  }
  answer.EndObject();
  answer.EndObject();
}

// Writes the rules, and the buckets of the tables whose limits are in force.
ControlResult WriteThroughput(ControlCall& call, JsonWriter& answer) {
  Throughput& throughput = call.parts.throughput;
  answer.BeginObject();
  WriteList("rules", throughput.Rules(), answer,
            [&](const EnforcementRule& rule) { WriteRule(rule, answer); });
  answer.BeginArray("tables");
  for (const TableRef& table : call.parts.engine.catalog().TablesOf({})) {
    const std::vector<ResourceState> states = throughput.StateOf(*table);
    if (!states.empty()) WriteTable(*table, states, answer);
  }
  answer.EndArray();
  answer.EndObject();
  return {};
}

}  // namespace

ControlResult DescribeThroughput(ControlCall& call, JsonWriter& answer) {
  return WriteThroughput(call, answer);
}

ControlResult EnforceThroughput(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {
      kAccountMember, kRegionMember, kTableMember, {"enforce", MemberType::kBoolean, true}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(EnforcementScope scope, ReadEnforcementScope(body, call.parts.shared_tables));
  HR_RETURN_IF_ERROR(call.parts.throughput.Enforce(std::move(scope), *body.Boolean("enforce")));
  return WriteThroughput(call, answer);
}

ControlResult ClearThroughput(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {kAccountMember, kRegionMember, kTableMember};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const EnforcementScope scope, ReadEnforcementScope(body, call.parts.shared_tables));
  call.parts.throughput.Clear(scope);
  return WriteThroughput(call, answer);
}

}  // namespace hashrange
