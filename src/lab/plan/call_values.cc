#include "lab/plan/call_values.h"

#include <algorithm>

#include "lab/plan/read_question.h"

namespace hashrange {
const LabNewValue* CallValues::NewValue(InstanceId id, LabAttributeRef attribute) const {
  // A later value of the same attribute replaces an earlier one.
  for (auto value = call_.new_values.rbegin(); value != call_.new_values.rend(); ++value) {
    if (value->attribute != attribute.attribute) continue;
    const std::vector<InstanceId>& role = call_.roles[static_cast<std::size_t>(value->role)];
    if (value->place >= role.size() || role[value->place].entity != attribute.entity) continue;
    const InstanceId owner =
        id.entity == attribute.entity ? id : population_.AncestorOf(id, attribute.entity);
    if (role[value->place] == owner) return &*value;
  }
  return nullptr;
}

bool CallValues::Has(InstanceId id, LabAttributeRef attribute, bool after) const {
  if (after) {
    if (const LabNewValue* value = NewValue(id, attribute)) return value->value.has_value();
  }
  return population_.Has(id, attribute);
}

void CallValues::AppendValue(InstanceId id, LabAttributeRef attribute, bool after,
                             std::string& out) const {
  if (after) {
    if (const LabNewValue* value = NewValue(id, attribute)) {
      if (value->value.has_value()) out += *value->value;
      return;
    }
  }
  if (population_.Has(id, attribute)) population_.AppendValue(id, attribute, out);
}

bool CallValues::Changes(InstanceId id, LabAttributeRef attribute) const {
  if (NewValue(id, attribute) == nullptr) return false;
  if (Has(id, attribute, false) != Has(id, attribute, true)) return true;
  thread_local std::string before;
  thread_local std::string after;
  before.clear();
  after.clear();
  AppendValue(id, attribute, false, before);
  AppendValue(id, attribute, true, after);
  return before != after;
}

bool CallValues::HoldsAfter(InstanceId id, const LabCondition& condition) const {
  if (!Has(id, condition.attribute, true)) return false;
  thread_local std::string value;
  value.clear();
  AppendValue(id, condition.attribute, true, value);
  return ConditionHolds(condition, LabAttributeAt(population_.file(), condition.attribute).type,
                        value);
}

bool CallValues::Matches(InstanceId id, const std::vector<LabCondition>& conditions,
                         bool after) const {
  if (!after) return population_.Matches(id, conditions);
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const LabCondition& condition) { return HoldsAfter(id, condition); });
}

}  // namespace hashrange
