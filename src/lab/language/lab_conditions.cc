// Conditions, `{status: OPEN, stock: {at_least: 1}}`: their reading, and the check of the values
// that they ask for against the values that attributes can have.
#include <algorithm>
#include <utility>

#include "lab/language/joined_names.h"
#include "lab/language/lab_parts.h"

namespace hashrange {
namespace {

using Op = LabCondition::Op;

constexpr LabWord<Op> kOps[] = {
    {"equal", Op::kEqual},    {"not", Op::kNotEqual},  {"below", Op::kLess},
    {"at_most", Op::kAtMost}, {"above", Op::kGreater}, {"at_least", Op::kAtLeast},
    {"in", Op::kIn},
};

void AppendCondition(const LabNode& value, LabAttributeRef attribute, Op op, LabReading& reading,
                     std::vector<LabCondition>& conditions) {
  LabCondition condition = {.attribute = attribute, .op = op};
  const auto append = [&](const LabNode& node) {
    condition.values.push_back(ReadValueOf(node, attribute, reading));
    condition.places.push_back(node.place);
  };
  if (value.kind == LabNode::Kind::kScalar) append(value);
  for (const LabNode& element : value.elements) append(element);
  conditions.push_back(std::move(condition));
}

// Adds the values of a generator. Returns false where they cannot be listed.
bool AppendValuesOf(const LabGenerator& generator, std::vector<std::string>& values) {
  if (generator.kind == LabGenerator::Kind::kConstant) {
    values.push_back(generator.text);
    return true;
  }
  for (const LabGenerator::Choice& choice : generator.choices) values.push_back(choice.value);
  return generator.kind == LabGenerator::Kind::kChoice;
}

// Returns all values that the attribute can have; empty where they cannot be listed.
std::vector<std::string> ListedValues(const LabFile& file, LabAttributeRef attribute) {
  std::vector<std::string> values;
  if (!AppendValuesOf(LabAttributeAt(file, attribute).generator, values)) return {};
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.attribute != attribute.attribute) continue;
        if (change.kind == LabChange::Kind::kAdd) return {};
        const bool is_set = change.kind == LabChange::Kind::kSet;
        if (is_set && !AppendValuesOf(change.generator, values)) return {};
      }
    }
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

void RefuseVector(LabAttributeRef attribute, LabPlace place, LabReading& reading) {
  if (attribute.entity == kLabNone) return;
  const LabAttribute& described = LabAttributeAt(reading.file, attribute);
  if (described.type != LabType::kVector) return;
  reading.Fail(place, "\"" + described.name + "\" is a vector, which has no text and no order");
}

std::string ReadValueOf(const LabNode& node, LabAttributeRef attribute, LabReading& reading) {
  const LabAttribute& described = LabAttributeAt(reading.file, attribute);
  const std::string& text = node.text;
  const auto fail = [&](const char* allowed) {
    reading.Fail(node.place, "a value of \"" + described.name + "\" has to be " + allowed +
                                 ", and this is \"" + text + "\"");
  };
  switch (described.type) {
    case LabType::kString:
      break;
    case LabType::kBool:
      if (text == "true") return text;
      if (text != "false") fail("true or false");
      return "false";
    case LabType::kNumber:
      if (auto plain = PlainNumberText(text)) return *std::move(plain);
      fail("a number");
      return "0";
    case LabType::kVector:
      RefuseVector(attribute, node.place, reading);
      break;
  }
  return text;
}

std::vector<LabCondition> ReadConditions(const LabNode& node, int entity, LabReading& reading) {
  std::vector<LabCondition> conditions;
  for (const LabNode::Member& member : node.members) {
    const LabAttributeRef attribute = FindStoredAttribute(entity, NameOf(member), reading);
    if (attribute.entity == kLabNone) break;
    if (member.value.kind != LabNode::Kind::kMap) {
      AppendCondition(member.value, attribute, Op::kEqual, reading, conditions);
    }
    for (const LabNode::Member& comparison : member.value.members) {
      const Op op = std::ranges::find(kOps, comparison.name, &LabWord<Op>::name)->meaning;
      AppendCondition(comparison.value, attribute, op, reading, conditions);
    }
  }
  return conditions;
}

void WarnOfMissingValues(const std::vector<LabCondition>& conditions, LabReading& reading) {
  for (const LabCondition& condition : conditions) {
    if (condition.op != Op::kEqual && condition.op != Op::kIn) continue;
    const std::vector<std::string> values = ListedValues(reading.file, condition.attribute);
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
                              attribute.generator.kind == LabGenerator::Kind::kChoice &&
                              AppendValuesOf(change.generator, set);
    if (!is_of_choice) continue;
    std::vector<std::string> values;
    AppendValuesOf(attribute.generator, values);
    for (const std::string& value : set) {
      if (std::ranges::find(values, value) != values.end()) continue;
      reading.Warn(change.place, "\"" + attribute.name + "\" is set to \"" + value +
                                     "\", which its `choice` does not have" +
                                     KnownNames(value, values));
    }
  }
}

}  // namespace hashrange
