#include "lab/plan/call_values.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace hashrange {
namespace {

// Returns below 0, 0, or above 0.
int CompareValues(LabType type, const std::string& a, const std::string& b) {
  if (type != LabType::kNumber) return a.compare(b);
  const double first = std::strtod(a.c_str(), nullptr);
  const double second = std::strtod(b.c_str(), nullptr);
  return first < second ? -1 : first > second ? 1 : 0;
}

}  // namespace

bool ConditionHolds(const LabCondition& condition, LabType type, const std::string& value) {
  using Op = LabCondition::Op;
  if (condition.values.empty()) return false;
  const int order = CompareValues(type, value, condition.values.front());
  switch (condition.op) {
    case Op::kEqual:
      return order == 0;
    case Op::kNotEqual:
      return order != 0;
    case Op::kLess:
      return order < 0;
    case Op::kAtMost:
      return order <= 0;
    case Op::kGreater:
      return order > 0;
    case Op::kAtLeast:
      return order >= 0;
    case Op::kIn:
      return std::any_of(condition.values.begin(), condition.values.end(),
                         [&](const auto& one) { return CompareValues(type, value, one) == 0; });
  }
  return false;
}

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

bool CallValues::HoldsAfter(InstanceId id, const LabCondition& condition) const {
  if (!Has(id, condition.attribute, true)) return false;
  thread_local std::string value;
  value.clear();
  AppendValue(id, condition.attribute, true, value);
  const LabEntity& entity =
      population_.file().entities[static_cast<std::size_t>(condition.attribute.entity)];
  return ConditionHolds(
      condition, entity.attributes[static_cast<std::size_t>(condition.attribute.attribute)].type,
      value);
}

bool CallValues::Matches(InstanceId id, const std::vector<LabCondition>& conditions,
                         bool after) const {
  if (!after) return population_.Matches(id, conditions);
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const LabCondition& condition) { return HoldsAfter(id, condition); });
}

void AppendTimeText(std::int64_t epoch_ms, LabGenerator::TimeForm form, std::string& out) {
  if (form == LabGenerator::TimeForm::kSeconds) epoch_ms /= 1000;
  if (form != LabGenerator::TimeForm::kIso) {
    out += std::to_string(epoch_ms);
    return;
  }
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(epoch_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  char text[48];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  out += text;
}

}  // namespace hashrange
