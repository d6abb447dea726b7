// What the caller of a write knows of an item, and the look-ups of what the caller does not know.
#include <algorithm>
#include <utility>

#include "lab/plan/read_question.h"
#include "lab/plan/write_actions.h"

namespace hashrange {

bool WriteActions::Knows(int role, LabAttributeRef attribute) const {
  const auto known = knowledge_.find(role);
  if (known == knowledge_.end()) return false;
  if (known->second.is_all) return true;
  const auto& attributes = known->second.attributes;
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](LabAttributeRef one) { return IsSameValue(input_.file, one, attribute); });
}

bool WriteActions::IsOnlyRead(int role, LabAttributeRef attribute) const {
  const auto known = knowledge_.find(role);
  if (known == knowledge_.end() || !known->second.is_read) return false;
  const auto& attributes = known->second.attributes;
  return std::none_of(attributes.begin(), attributes.end(), [&](LabAttributeRef one) {
    return IsSameValue(input_.file, one, attribute);
  });
}

void WriteActions::Know(int role, int entity, const std::vector<LabAttributeRef>& attributes,
                        const LabWrite& write, const std::string& why) {
  std::vector<std::string> unknown;
  for (const LabAttributeRef attribute : attributes) {
    const std::string& name = LabAttributeAt(input_.file, attribute).name;
    if (Knows(role, attribute) ||
        std::find(unknown.begin(), unknown.end(), name) != unknown.end()) {
      continue;
    }
    unknown.push_back(name);
  }
  std::string names;
  for (const std::string& name : unknown) names += (names.empty() ? "" : ", ") + name;
  if (!unknown.empty()) {
    LookUp(role, entity, write, why + " needs " + names + ", which the caller does not know");
  }
  for (const LabAttributeRef attribute : attributes) {
    if (IsOnlyRead(role, attribute)) knowledge_[role].used.push_back(attribute);
  }
}

void WriteActions::LookUp(int role, int entity, const LabWrite& write, const std::string& why) {
  Knowledge& known = knowledge_[role];
  if (known.is_all || !impossible_.empty()) return;
  known.is_all = true;
  known.is_read = true;
  const std::string& name = EntityAt(input_.file, entity).name;
  std::vector<LabAttributeRef> by;
  for (const LabAttributeRef one : write.by) {
    if (AttributeFor(input_.file, entity, one).entity != kLabNone) by.push_back(one);
  }
  PatternPlan found = PlanLookup(input_, write, entity, by, role);
  if (!TakeLookUp(found, MostInstances(role) > 1 ? role : kLabNone)) return;
  Reason("The " + name + " is read first: " + why + ".");
  unknown_.push_back("The " + name + " is read first: " + why);
  for (std::string& sentence : found.reasons) Reason(std::move(sentence));
}

bool WriteActions::TakeLookUp(PatternPlan& found, int each) {
  if (!found.impossible.empty()) {
    impossible_ = found.impossible;
    return false;
  }
  for (PlanStep& step : found.steps) {
    step.is_lookup = true;
    if (each != kLabNone) step.each = each;
    lookups_.push_back(std::move(step));
  }
  if (service_ != PlanService::kScanned) {
    service_ =
        found.service == PlanService::kScanned ? PlanService::kScanned : PlanService::kLookedUp;
  }
  rejected_.insert(rejected_.end(), found.rejected.begin(), found.rejected.end());
  return true;
}

}  // namespace hashrange
