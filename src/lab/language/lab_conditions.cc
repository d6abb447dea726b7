#include "lab/language/lab_conditions.h"

#include <algorithm>
#include <utility>

#include "lab/language/joined_names.h"
#include "lab/language/lab_scalars.h"

namespace hashrange {
namespace {

using Op = LabCondition::Op;

struct OpRow {
  std::string_view name;
  Op op;
};
constexpr OpRow kOps[] = {
    {"equal", Op::kEqual},    {"not", Op::kNotEqual},  {"below", Op::kLess},
    {"at_most", Op::kAtMost}, {"above", Op::kGreater}, {"at_least", Op::kAtLeast},
    {"in", Op::kIn},
};

void AppendValue(const LabNode& node, LabReading& reading, LabCondition& condition) {
  condition.values.push_back(ReadValueOf(node, condition.attribute, reading));
  condition.places.push_back(node.place);
}

void AppendOp(const LabNode::Member& member, LabAttributeRef attribute, LabReading& reading,
              std::vector<LabCondition>& conditions) {
  const int found = FindName({member.name, member.place}, NamesIn(kOps),
                             "\"" + member.name + "\" is no comparison", reading);
  if (found == kLabNone) return;
  LabCondition condition = {.attribute = attribute, .op = kOps[found].op};
  if (condition.op != Op::kIn) {
    AppendValue(member.value, reading, condition);
  } else if (member.value.elements.empty()) {
    return reading.Fail(member.value.place, "`in` needs a list of values, such as {in: [A, B]}");
  } else {
    for (const LabNode& element : member.value.elements) {
      AppendValue(element, reading, condition);
    }
  }
  conditions.push_back(std::move(condition));
}

}  // namespace

std::string ReadValueOf(const LabNode& node, LabAttributeRef attribute, LabReading& reading) {
  const LabAttribute& described = LabAttributeAt(reading.file, attribute);
  const std::string what = "a value of \"" + described.name + "\"";
  switch (described.type) {
    case LabType::kString:
      return ReadLabText(node, what, reading);
    case LabType::kBool:
      return ReadLabFlag(node, what, reading) ? "true" : "false";
    case LabType::kNumber:
      break;
  }
  const std::string text = ReadLabText(node, what, reading);
  if (auto plain = PlainNumberText(text)) return *std::move(plain);
  reading.Fail(node.place, what + " has to be a number, and this is \"" + text + "\"");
  return "0";
}

void AppendConditions(const LabNode& value, LabAttributeRef attribute, LabReading& reading,
                      std::vector<LabCondition>& conditions) {
  if (value.kind != LabNode::Kind::kMap) {
    LabCondition condition = {.attribute = attribute};
    AppendValue(value, reading, condition);
    conditions.push_back(std::move(condition));
    return;
  }
  for (const LabNode::Member& member : value.members) {
    AppendOp(member, attribute, reading, conditions);
  }
}

std::vector<LabCondition> ReadConditions(const LabNode& node, int entity, std::string_view what,
                                         LabReading& reading) {
  std::vector<LabCondition> conditions;
  if (node.kind != LabNode::Kind::kMap || node.members.empty()) {
    reading.Fail(
        node.place,
        std::string(what) + " has to be a map of attributes and values, such as {status: OPEN}");
  }
  for (const LabNode::Member& member : node.members) {
    const LabAttributeRef attribute =
        FindStoredAttribute(entity, {member.name, member.place}, reading);
    if (attribute.entity == kLabNone) break;
    AppendConditions(member.value, attribute, reading, conditions);
  }
  return conditions;
}

}  // namespace hashrange
