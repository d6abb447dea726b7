#include "lab/language/lab_changes.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "lab/language/lab_entity_tree.h"
#include "lab/language/lab_generators.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_scalars.h"

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

const LabChange* FindChange(const std::vector<LabChange>& changes, int attribute) {
  const auto found = std::ranges::find(changes, attribute, &LabChange::attribute);
  return found == changes.end() ? nullptr : &*found;
}

// Returns the first of the changes that gives a value to what the template is made of; null: none
// does.
const LabChange* FindChangeOfPart(const std::vector<LabChange>& changes, const LabTemplate& text,
                                  int entity) {
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity != entity) continue;
    if (const LabChange* const change = FindChange(changes, part.attribute.attribute)) {
      return change;
    }
  }
  return nullptr;
}

// Returns what follows for the template from the changes: a new text, or none where a part of it is
// removed; nothing when no part of it changes.
std::optional<LabChange> FollowingChange(const LabWrite& write, int attribute,
                                         const LabGenerator& generator) {
  const LabChange* const cause =
      FindChangeOfPart(write.changes, generator.text_template, write.entity);
  if (!cause) return std::nullopt;
  LabChange change{.attribute = attribute, .place = cause->place};
  const bool is_removed =
      std::ranges::any_of(generator.text_template.parts, [&](const LabTemplatePart& part) {
        if (part.attribute.entity != write.entity) return false;
        const LabChange* const of_part = FindChange(write.changes, part.attribute.attribute);
        return of_part && of_part->kind == Kind::kRemove;
      });
  if (is_removed) {
    change.kind = Kind::kRemove;
  } else {
    change.generator = generator;
  }
  return change;
}

// Puts what is set to a template last, each behind those that it is made of. Of templates that are
// made of each other, the one that was written first stays first.
void OrderTemplates(LabWrite& write) {
  const auto first = std::ranges::stable_partition(write.changes, [](const LabChange& change) {
                       return !IsSetToTemplate(change);
                     }).begin();
  std::vector<LabChange> templates(std::make_move_iterator(first),
                                   std::make_move_iterator(write.changes.end()));
  write.changes.erase(first, write.changes.end());
  while (!templates.empty()) {
    const auto is_ready = [&](const LabChange& change) {
      return std::ranges::none_of(change.generator.text_template.parts,
                                  [&](const LabTemplatePart& part) {
                                    return part.attribute.entity == write.entity &&
                                           part.attribute.attribute != change.attribute &&
                                           FindChange(templates, part.attribute.attribute);
                                  });
    };
    auto next = std::ranges::find_if(templates, is_ready);
    if (next == templates.end()) next = templates.begin();
    write.changes.push_back(std::move(*next));
    templates.erase(next);
  }
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

void AddFollowingTemplates(const LabFile& file, LabWrite& write) {
  const std::vector<LabAttribute>& attributes = EntityAt(file, write.entity).attributes;
  bool is_any_added = true;
  while (is_any_added) {  // templates may be made of templates
    is_any_added = false;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const LabAttribute& attribute = attributes[i];
      const bool may_change = i != 0 || write.kind == LabWrite::Kind::kCreate;  // 0: the identity
      if (!may_change || attribute.generator.kind != LabGenerator::Kind::kTemplate) continue;
      const int number = static_cast<int>(i);
      if (FindChange(write.changes, number)) continue;
      auto change = FollowingChange(write, number, attribute.generator);
      if (!change) continue;
      write.changes.push_back(std::move(*change));
      is_any_added = true;
    }
  }
  OrderTemplates(write);
}

}  // namespace hashrange
