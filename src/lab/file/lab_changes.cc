#include "lab/file/lab_changes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/file/lab_generators.h"
#include "lab/file/lab_names.h"
#include "lab/file/lab_scalars.h"

namespace hashrange {
namespace {

using Kind = LabChange::Kind;

// Returns the own attribute of that name, which an update may change.
int FindChanged(LabName name, const LabWrite& write, LabReading& reading) {
  const int attribute = FindOwnAttribute(write.entity, name, reading);
  if (attribute == kLabNone) return kLabNone;
  if (attribute == 0 && write.kind == LabWrite::Kind::kUpdate) {
    reading.Fail(name.place, "\"" + std::string(name.text) + "\" is the identity of " +
                                 EntityAt(reading.file, write.entity).name +
                                 ", which an update cannot change");
  }
  const bool is_changed =
      std::ranges::find(write.changes, attribute, &LabChange::attribute) != write.changes.end();
  if (is_changed) {
    reading.Fail(name.place, "\"" + std::string(name.text) + "\" is changed twice");
  }
  return attribute;
}

bool IsMap(const LabNode& node, const char* what, const char* example, LabReading& reading) {
  if (node.kind == LabNode::Kind::kMap && !node.members.empty()) return true;
  reading.Fail(node.place, std::string(what) + " has to be a map, such as " + example);
  return false;
}

// Reads `-1`, or the name of an attribute in braces with a sign or a number before it.
void ReadAmount(const LabNode& node, int scope, LabChange& change, LabReading& reading) {
  const std::size_t brace = node.text.find('{');
  if (brace == std::string::npos || node.kind != LabNode::Kind::kScalar) {
    change.amount = ReadLabNumber(node, "an amount of `add`", {}, reading);
    return;
  }
  const std::string_view text = node.text;
  const std::string_view sign = text.substr(0, brace);
  const std::optional<double> factor = sign.empty()  ? 1
                                       : sign == "-" ? std::optional<double>(-1)
                                                     : ParseLabNumber(sign);
  if (!factor || !text.ends_with('}')) {
    return reading.Fail(node.place,
                        "an amount of `add` has to be a number, or an attribute in braces "
                        "such as \"-{quantity}\", and this is \"" +
                            node.text + "\"");
  }
  change.amount = *factor;
  const std::string_view name = text.substr(brace + 1, text.size() - brace - 2);
  change.by_attribute = FindKnownAttribute(scope, {name, node.place}, reading);
  if (change.by_attribute.entity == kLabNone) return;
  if (LabAttributeAt(reading.file, change.by_attribute).type == LabType::kNumber) return;
  reading.Fail(node.place, "\"" + std::string(name) + "\" is no number, so `add` cannot add it");
}

}  // namespace

void ReadSet(NodeReader& map, LabWrite& write) {
  LabReading& reading = map.reading();
  const LabNode* const set = map.Member("set");
  if (!set || !IsMap(*set, "`set`", "{status: PAID}", reading)) return;
  for (const LabNode::Member& member : set->members) {
    LabChange change;
    change.attribute = FindChanged({member.name, member.place}, write, reading);
    if (change.attribute == kLabNone) return;
    change.place = member.value.place;
    change.generator = ReadGeneratorFor(member.value, {write.entity, change.attribute}, reading);
    write.changes.push_back(std::move(change));
  }
}

void ReadAddAndRemove(NodeReader& map, int scope, LabWrite& write) {
  LabReading& reading = map.reading();
  const LabNode* const add = map.Member("add");
  if (add && IsMap(*add, "`add`", "{stock: -1}", reading)) {
    for (const LabNode::Member& member : add->members) {
      LabChange change;
      change.kind = Kind::kAdd;
      change.attribute = FindChanged({member.name, member.place}, write, reading);
      if (change.attribute == kLabNone) return;
      if (LabAttributeAt(reading.file, {write.entity, change.attribute}).type != LabType::kNumber) {
        reading.Fail(member.place, "\"" + member.name + "\" is no number, so nothing can be added");
      }
      ReadAmount(member.value, scope, change, reading);
      write.changes.push_back(std::move(change));
    }
  }
  const LabNode* const remove = map.Member("remove");
  if (!remove) return;
  for (const LabName name : ReadNames(*remove, "`remove`", reading)) {
    LabChange change;
    change.kind = Kind::kRemove;
    change.attribute = FindChanged(name, write, reading);
    if (change.attribute == kLabNone) return;
    write.changes.push_back(std::move(change));
  }
}

}  // namespace hashrange
