#include "lab/language/lab_entities.h"

#include <string>
#include <utility>
#include <vector>

#include "lab/language/lab_attribute_types.h"
#include "lab/language/lab_distributions.h"
#include "lab/language/lab_generators.h"
#include "lab/language/lab_names.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabGenerator::Kind;

LabEntity& EditedEntity(LabReading& reading, std::size_t place) {
  return reading.file.entities[place];
}

// Reads the names of entities and attributes, which everything else may refer to.
void ReadNamesOfEntities(const LabNode& node, LabReading& reading) {
  for (const LabNode::Member& member : node.members) {
    LabEntity entity;
    entity.name = member.name;
    entity.place = member.place;
    if (member.name.empty() || member.name.find_first_of(".{} ") != std::string::npos) {
      reading.Fail(member.place,
                   "the name of an entity must not have blanks, dots or braces, and this is \"" +
                       member.name + "\"");
    }
    const LabNode* const attributes = member.value.Find("attributes");
    if (attributes) {
      for (const LabNode::Member& attribute : attributes->members) {
        LabAttribute described;
        described.name = attribute.name;
        described.place = attribute.place;
        entity.attributes.push_back(std::move(described));
      }
    }
    if (entity.attributes.empty()) {
      reading.Fail(member.place,
                   entity.name + " needs `attributes`; the first one is its identity");
    }
    reading.file.entities.push_back(std::move(entity));
  }
  if (reading.file.entities.empty()) reading.Fail(node.place, "`entities` has no entity");
}

void ReadParent(const LabNode& node, int entity, LabReading& reading) {
  const int parent = FindEntity(NameIn(node), reading);
  EditedEntity(reading, static_cast<std::size_t>(entity)).parent = parent;
  for (int ancestor = parent; ancestor != kLabNone;
       ancestor = EntityAt(reading.file, ancestor).parent) {
    if (ancestor != entity) continue;
    EditedEntity(reading, static_cast<std::size_t>(entity)).parent = kLabNone;
    return reading.Fail(node.place, EntityAt(reading.file, entity).name +
                                        " would be an ancestor of itself by this `of`");
  }
}

// An attribute that has the name of an ancestor's identity would hide it.
void CheckInheritedName(int entity, LabReading& reading) {
  const LabEntity& described = EntityAt(reading.file, entity);
  for (int ancestor = described.parent; ancestor != kLabNone;
       ancestor = EntityAt(reading.file, ancestor).parent) {
    const LabEntity& above = EntityAt(reading.file, ancestor);
    for (const LabAttribute& attribute : described.attributes) {
      const bool is_own_copy =
          ancestor != described.parent && &attribute != &described.attributes.front();
      if (attribute.name != above.attributes.front().name || is_own_copy) continue;
      reading.Fail(attribute.place, described.name + " inherits \"" + attribute.name +
                                        "\", the identity of " + above.name +
                                        "; give this attribute another name");
    }
  }
}

void ReadAttributes(const LabNode& node, int entity, LabReading& reading) {
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    DescribedGenerator made = ReadGenerator(node.members[i].value, entity, reading);
    LabAttribute& attribute = EditedEntity(reading, static_cast<std::size_t>(entity)).attributes[i];
    attribute.generator = std::move(made.generator);
    attribute.present = made.present;
    if (made.type) attribute.type = *made.type;
    reading.EndPart();
  }
  LabEntity& described = EditedEntity(reading, static_cast<std::size_t>(entity));
  const LabAttribute& identity = described.attributes.front();
  const Kind kind = identity.generator.kind;
  described.identity_is_global =
      kind == Kind::kSequence || kind == Kind::kUlid || kind == Kind::kUuid;
  if (identity.present < 1) {
    reading.Fail(identity.place, "\"" + identity.name + "\" is the identity of " + described.name +
                                     ", the first attribute, so it may not be absent");
  }
}

void ReadEntity(const LabNode::Member& member, int entity, LabReading& reading) {
  NodeReader map(member.value, member.name, reading);
  map.Member("of");  // read before
  const LabNode* const attributes = map.Require("attributes");
  if (attributes) ReadAttributes(*attributes, entity, reading);
  LabEntity& described = EditedEntity(reading, static_cast<std::size_t>(entity));
  if (const LabNode* const count = map.Require("count")) {
    described.count = ReadDistribution(*count, {"`count`"}, reading);
  }
  if (const LabNode* const distinct = map.Member("distinct")) {
    described.distinct = FindOwnAttribute(entity, NameIn(*distinct), reading);
  }
  map.Finish();
}

}  // namespace

void ReadEntities(const LabNode& node, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap) {
    return reading.Fail(node.place, "`entities` has to be a map of entities");
  }
  ReadNamesOfEntities(node, reading);
  if (!reading.ok()) return;
  const int count = static_cast<int>(reading.file.entities.size());
  const auto member = [&](int entity) -> const LabNode::Member& {
    return node.members[static_cast<std::size_t>(entity)];
  };
  for (int entity = 0; entity < count; ++entity) {
    const LabNode* const parent = member(entity).value.Find("of");
    if (parent && !parent->IsNull()) ReadParent(*parent, entity, reading);
  }
  for (int entity = 0; entity < count; ++entity) CheckInheritedName(entity, reading);
  for (int entity = 0; entity < count; ++entity) ReadEntity(member(entity), entity, reading);
  reading.EndParts();
  if (reading.ok()) ResolveAttributeTypes(reading);
}

}  // namespace hashrange
