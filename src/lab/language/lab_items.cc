#include "lab/language/lab_items.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/language/lab_conditions.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_tables.h"
#include "lab/language/lab_templates.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

// One spec of an item, while it is read.
class ItemReader {
 public:
  ItemReader(const LabNode& node, int entity, const LabTable& table, LabReading& reading)
      : node_(node),
        table_(table),
        reading_(reading),
        map_(node, "an item of " + EntityAt(reading.file, entity).name, reading) {
    item_.entity = entity;
    item_.place = node.place;
  }

  LabItem Read();

 private:
  void ReadAttributeNames();
  void ReadKey(const std::string& name, bool is_of_table);
  LabItemKey ReadTemplateOf(const std::string& name, const LabNode& value);
  bool Stores(LabAttributeRef attribute) const;
  const std::string& EntityName() const { return EntityAt(reading_.file, item_.entity).name; }

  const LabNode& node_;
  const LabTable& table_;
  LabReading& reading_;
  NodeReader map_;
  LabItem item_;
};

void ItemReader::ReadAttributeNames() {
  const LabNode* const names = map_.Member("attributes");
  if (!names) return;
  item_.attributes.emplace();
  for (const LabName name : ReadNames(*names, "`attributes`", reading_)) {
    const LabAttributeRef attribute = FindStoredAttribute(item_.entity, name, reading_);
    if (attribute.entity == kLabNone) return;
    item_.attributes->push_back(attribute);
  }
}

// Returns whether the item has the attribute, apart from its keys.
bool ItemReader::Stores(LabAttributeRef attribute) const {
  if (attribute.entity == kLabNone) return false;
  return !item_.attributes ||
         std::ranges::find(*item_.attributes, attribute) != item_.attributes->end();
}

LabItemKey ItemReader::ReadTemplateOf(const std::string& name, const LabNode& value) {
  LabItemKey key;
  key.attribute = name;
  const LabNode* const text = value.Find("template");
  if (!text) {
    key.text = ReadTemplate(value, item_.entity, reading_);
  } else {
    NodeReader map(value, "`" + name + "`", reading_);
    map.Member("template");
    key.text = ReadTemplate(*text, item_.entity, reading_);
    if (const LabNode* const when = map.Member("when")) {
      key.when = ReadConditions(*when, item_.entity, "`when`", reading_);
    }
    map.Finish();
  }
  if (reading_.ok()) CheckTemplateForms(key.text, reading_);
  return key;
}

void ItemReader::ReadKey(const std::string& name, bool is_of_table) {
  if (const LabNode* const value = map_.Member(name)) {
    item_.keys.push_back(ReadTemplateOf(name, *value));
    const bool may_be_absent = is_of_table && !item_.keys.back().when.empty();
    if (may_be_absent) {
      reading_.Fail(value->place, "\"" + name +
                                      "\" is of the table's key, which every item has; a "
                                      "`when` of the whole item stands beside it");
    }
    return;
  }
  const LabAttributeRef known = KnownAttribute(reading_.file, item_.entity, name);
  const LabAttributeRef stored = StoredAttribute(reading_.file, item_.entity, name);
  if (is_of_table ? known.entity != kLabNone : Stores(stored)) {
    LabItemKey key;
    key.attribute = name;
    key.text = BareTemplate(name, is_of_table ? known : stored, node_.place);
    item_.keys.push_back(std::move(key));
  } else if (is_of_table) {
    reading_.Fail(node_.place, "an item of " + EntityName() + " needs a template for the key \"" +
                                   name + "\", since " + EntityName() +
                                   " has no attribute of that name");
  }
}

LabItem ItemReader::Read() {
  ReadAttributeNames();
  if (const LabNode* const when = map_.Member("when")) {
    item_.when = ReadConditions(*when, item_.entity, "`when`", reading_);
  }
  if (!reading_.ok()) return item_;
  const std::vector<std::string> of_table = TableKeyOf(table_);
  const std::vector<std::string> keys = AllKeysOf(table_);
  for (std::size_t i = 0; i < keys.size(); ++i) ReadKey(keys[i], i < of_table.size());
  for (const LabNode::Member& member : node_.members) {
    const bool is_other = member.name != "attributes" && member.name != "when" &&
                          !member.value.IsNull() &&
                          std::ranges::find(keys, member.name) == keys.end();
    if (is_other) item_.keys.push_back(ReadTemplateOf(member.name, member.value));
  }
  return std::move(item_);
}

void ReadEmbedding(const LabNode& node, int entity, LabLayout& layout, LabReading& reading) {
  const LabFile& file = reading.file;
  LabEmbedding embedding;
  embedding.entity = entity;
  embedding.parent = EntityAt(file, entity).parent;
  embedding.place = node.place;
  NodeReader map(node, "an item with `embed`", reading);
  map.Member("embed");
  const LabNode& target = *node.Find("embed");
  const std::size_t point = target.text.find('.');
  const std::string_view parent = std::string_view(target.text).substr(0, point);
  if (point == std::string::npos || point + 1 == target.text.size()) {
    return reading.Fail(target.place,
                        "`embed` names the parent and the attribute that holds the list "
                        "or map, such as Order.lines");
  }
  if (embedding.parent == kLabNone || EntityAt(file, embedding.parent).name != parent) {
    return reading.Fail(
        target.place,
        EntityAt(file, entity).name + " can be embedded in its parent " +
            (embedding.parent == kLabNone ? "only, and it has none"
                                          : EntityAt(file, embedding.parent).name + " only") +
            ", and this is \"" + target.text + "\"");
  }
  embedding.attribute = target.text.substr(point + 1);
  if (const LabNode* const map_by = map.Member("map_by")) {
    embedding.map_by = FindOwnAttribute(entity, NameIn(*map_by), reading);
  }
  map.Finish();
  layout.embeddings.push_back(std::move(embedding));
}

void ReadSpec(const LabNode& spec, int entity, int table, LabLayout& layout, LabReading& reading) {
  if (!reading.ok()) return;
  if (spec.Find("embed")) return ReadEmbedding(spec, entity, layout, reading);
  const LabTable& stored_in = layout.tables[static_cast<std::size_t>(table)];
  LabItem item = ItemReader(spec, entity, stored_in, reading).Read();
  item.table = table;
  layout.items.push_back(std::move(item));
}

}  // namespace

void ReadItems(const LabNode& node, int table, LabLayout& layout, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap) {
    return reading.Fail(node.place, "`items` has to be a map of entities");
  }
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    const int entity = FindEntity({member.name, member.place}, reading);
    if (entity != kLabNone && member.value.kind != LabNode::Kind::kList) {
      ReadSpec(member.value, entity, table, layout, reading);
    }
    for (const LabNode& spec : member.value.elements) {
      if (entity != kLabNone) ReadSpec(spec, entity, table, layout, reading);
    }
    reading.EndPart();
  }
  reading.EndParts();
}

}  // namespace hashrange
