// faults: the calls about fault rules.
#include <string>
#include <utility>
#include <vector>

#include "control/control_call.h"
#include "control/control_json.h"
#include "control/fault_json.h"
#include "control/routes.h"
#include "simulation/fault_plan.h"

namespace hashrange {
namespace {

void WriteRules(const std::vector<FaultPlan::RuleRef>& rules, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("rules");
  answer.BeginArray();
  for (const FaultPlan::RuleRef& rule : rules) WriteFaultRule(*rule, answer);
  answer.EndArray();
  answer.EndObject();
}

ControlError NoSuchRule(std::string_view id) {
  return {404, "There is no fault rule " + Quoted(id) + "."};
}

}  // namespace

ControlResult ListFaults(ControlCall& call, JsonWriter& answer) {
  WriteRules(call.parts.faults.List(), answer);
  return {};
}

ControlResult AddFaults(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(auto specs, ReadFaultSpecs(*call.body, call.parts.shared_tables, call.arena));
  HR_ASSIGN(const auto rules, call.parts.faults.Add(std::move(specs)));
  WriteRules(rules, answer);
  return {};
}

ControlResult DescribeFault(ControlCall& call, JsonWriter& answer) {
  const auto id = ParseCallId(call.name);
  const FaultPlan::RuleRef rule = id ? call.parts.faults.Find(*id) : nullptr;
  if (!rule) return NoSuchRule(call.name);
  WriteFaultRule(*rule, answer);
  return {};
}

ControlResult RemoveFault(ControlCall& call, JsonWriter& answer) {
  const auto id = ParseCallId(call.name);
  if (!id || !call.parts.faults.Remove(*id)) return NoSuchRule(call.name);
  return AnswerCount("rules", 1, answer);
}

ControlResult RemoveFaults(ControlCall& call, JsonWriter& answer) {
  return AnswerCount("rules", call.parts.faults.Clear(), answer);
}

}  // namespace hashrange
