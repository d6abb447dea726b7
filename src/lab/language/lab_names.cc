#include "lab/language/lab_names.h"

#include <algorithm>

#include "lab/language/joined_names.h"

namespace hashrange {
namespace {

// Which attributes a name may stand for.
enum class Reach : std::uint8_t { kOwn, kStored, kKnown };

// Returns the entity and the ancestors whose identities are in reach.
std::vector<int> EntitiesInReach(const LabFile& file, int entity, Reach reach) {
  std::vector<int> entities = {entity};
  if (reach == Reach::kOwn) return entities;
  for (int parent = EntityAt(file, entity).parent; parent != kLabNone;
       parent = EntityAt(file, parent).parent) {
    entities.push_back(parent);
    if (reach == Reach::kStored) break;
  }
  return entities;
}

LabAttributeRef AttributeInReach(const LabFile& file, int entity, std::string_view name,
                                 Reach reach) {
  const std::vector<LabAttribute>& own = EntityAt(file, entity).attributes;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].name == name) return {entity, static_cast<int>(i)};
  }
  for (const int ancestor : EntitiesInReach(file, entity, reach)) {
    const std::vector<LabAttribute>& attributes = EntityAt(file, ancestor).attributes;
    if (!attributes.empty() && attributes.front().name == name) return {ancestor, 0};
  }
  return {};
}

std::vector<std::string> NamesInReach(const LabFile& file, int entity, Reach reach) {
  std::vector<std::string> names;
  for (const LabAttribute& attribute : EntityAt(file, entity).attributes) {
    names.push_back(attribute.name);
  }
  for (const int ancestor : EntitiesInReach(file, entity, reach)) {
    if (ancestor != entity) names.push_back(EntityAt(file, ancestor).attributes.front().name);
  }
  return names;
}

LabAttributeRef FindInReach(int entity, LabName name, Reach reach, LabReading& reading) {
  const LabFile& file = reading.file;
  const LabAttributeRef found = AttributeInReach(file, entity, name.text, reach);
  if (found.entity == kLabNone) {
    reading.Fail(name.place, EntityAt(file, entity).name + " has no attribute \"" +
                                 std::string(name.text) + "\"" +
                                 KnownNames(name.text, NamesInReach(file, entity, reach)));
  }
  return found;
}

}  // namespace

LabAttributeRef StoredAttribute(const LabFile& file, int entity, std::string_view name) {
  return AttributeInReach(file, entity, name, Reach::kStored);
}

LabAttributeRef KnownAttribute(const LabFile& file, int entity, std::string_view name) {
  return AttributeInReach(file, entity, name, Reach::kKnown);
}

std::vector<LabAttributeRef> IdentityOf(const LabFile& file, int entity) {
  std::vector<LabAttributeRef> identity;
  for (const int ancestor : EntitiesInReach(file, entity, Reach::kKnown)) {
    identity.insert(identity.begin(), {ancestor, 0});
    if (EntityAt(file, ancestor).identity_is_global) break;
  }
  return identity;
}

std::string IdentityText(const LabFile& file, int entity) {
  std::vector<std::string_view> names;
  for (const LabAttributeRef identity : IdentityOf(file, entity)) {
    names.push_back(LabAttributeAt(file, identity).name);
  }
  return JoinedNames(names, "and");
}

int FindName(LabName name, std::span<const std::string> names, const std::string& sentence,
             LabReading& reading) {
  const auto found = std::ranges::find(names, name.text);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  reading.Fail(name.place, sentence + KnownNames(name.text, names));
  return kLabNone;
}

int FindEntity(LabName name, LabReading& reading) {
  return FindName(name, NamesIn(reading.file.entities),
                  "there is no entity \"" + std::string(name.text) + "\"", reading);
}

int FindOwnAttribute(int entity, LabName name, LabReading& reading) {
  return FindInReach(entity, name, Reach::kOwn, reading).attribute;
}

LabAttributeRef FindStoredAttribute(int entity, LabName name, LabReading& reading) {
  return FindInReach(entity, name, Reach::kStored, reading);
}

LabAttributeRef FindKnownAttribute(int entity, LabName name, LabReading& reading) {
  return FindInReach(entity, name, Reach::kKnown, reading);
}

LabAttributeRef FindDottedAttribute(LabName name, LabReading& reading) {
  const std::size_t point = name.text.find('.');
  if (point == std::string_view::npos) {
    reading.Fail(name.place,
                 "an attribute of another entity is written as Entity.attribute, and "
                 "this is \"" +
                     std::string(name.text) + "\"");
    return {};
  }
  const int entity = FindEntity({name.text.substr(0, point), name.place}, reading);
  if (entity == kLabNone) return {};
  const int attribute =
      FindOwnAttribute(entity, {name.text.substr(point + 1), name.place}, reading);
  return attribute == kLabNone ? LabAttributeRef{} : LabAttributeRef{entity, attribute};
}

std::vector<LabName> ReadNames(const LabNode& node, std::string_view what, LabReading& reading) {
  if (node.kind == LabNode::Kind::kScalar && !node.IsNull()) return {NameIn(node)};
  std::vector<LabName> names;
  bool is_valid = node.kind == LabNode::Kind::kList;
  for (const LabNode& element : node.elements) {
    is_valid = is_valid && element.kind == LabNode::Kind::kScalar && !element.IsNull();
    names.push_back(NameIn(element));
  }
  if (is_valid) return names;
  reading.Fail(node.place, std::string(what) + " has to be a list of names, such as [a, b]");
  return {};
}

}  // namespace hashrange
