#include "lab/file/lab_condition_values.h"

#include <algorithm>
#include <string>

#include "lab/file/joined_names.h"
#include "lab/file/lab_names.h"

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
  if (!AddValues(AttributeOf(file, attribute).generator, values)) return {};
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

void WarnOfMissingValues(const std::vector<LabCondition>& conditions, LabPlace place,
                         LabReading& reading) {
  using Op = LabCondition::Op;
  for (const LabCondition& condition : conditions) {
    if (condition.op != Op::kEqual && condition.op != Op::kIn) continue;
    const std::vector<std::string> values = ValuesOf(reading.file, condition.attribute);
    if (values.empty()) continue;
    for (const std::string& value : condition.values) {
      if (std::ranges::binary_search(values, value)) continue;
      reading.Warn(place, "\"" + AttributeOf(reading.file, condition.attribute).name +
                              "\" is never \"" + value + "\"" + KnownNames(value, values));
    }
  }
}

}  // namespace hashrange
