#include "lab/language/lab_condition_values.h"

#include <algorithm>
#include <string>

#include "lab/language/joined_names.h"
#include "lab/language/lab_names.h"

namespace hashrange {
namespace {

using Kind = LabGenerator::Kind;

// Adds the values of a generator. Returns false where they cannot be listed.
bool AddValues(const LabGenerator& generator, std::vector<std::string>& values) {
  if (generator.kind == Kind::kConstant) {
    values.push_back(generator.text);
    return true;
  }
  for (const LabGenerator::Choice& choice : generator.choices) values.push_back(choice.value);
  return generator.kind == Kind::kChoice;
}

// Returns all values that the attribute can have; empty where they cannot be listed.
std::vector<std::string> ValuesOf(const LabFile& file, LabAttributeRef attribute) {
  std::vector<std::string> values;
  if (!AddValues(LabAttributeAt(file, attribute).generator, values)) return {};
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.attribute != attribute.attribute) continue;
        if (change.kind == LabChange::Kind::kAdd) return {};
        const bool is_set = change.kind == LabChange::Kind::kSet;
        if (is_set && !AddValues(change.generator, values)) return {};
      }
    }
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

void WarnOfMissingValues(const std::vector<LabCondition>& conditions, LabReading& reading) {
  using Op = LabCondition::Op;
  for (const LabCondition& condition : conditions) {
    if (condition.op != Op::kEqual && condition.op != Op::kIn) continue;
    const std::vector<std::string> values = ValuesOf(reading.file, condition.attribute);
    if (values.empty()) continue;
    for (std::size_t i = 0; i < condition.values.size(); ++i) {
      const std::string& value = condition.values[i];
      if (std::ranges::binary_search(values, value)) continue;
      reading.Warn(condition.places[i],
                   "\"" + LabAttributeAt(reading.file, condition.attribute).name +
                       "\" is never \"" + value + "\"" + KnownNames(value, values));
    }
  }
}

void WarnOfOtherValues(const LabWrite& write, LabReading& reading) {
  for (const LabChange& change : write.changes) {
    const LabAttribute& attribute = LabAttributeAt(reading.file, {write.entity, change.attribute});
    std::vector<std::string> set;
    const bool is_of_choice = change.kind == LabChange::Kind::kSet &&
                              attribute.generator.kind == Kind::kChoice &&
                              AddValues(change.generator, set);
    if (!is_of_choice) continue;
    std::vector<std::string> values;
    AddValues(attribute.generator, values);
    for (const std::string& value : set) {
      if (std::ranges::find(values, value) != values.end()) continue;
      reading.Warn(change.place, "\"" + attribute.name + "\" is set to \"" + value +
                                     "\", which its `choice` does not have" +
                                     KnownNames(value, values));
    }
  }
}

}  // namespace hashrange
