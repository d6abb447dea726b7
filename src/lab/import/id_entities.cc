#include "lab/import/id_entities.h"

#include <algorithm>
#include <utility>

#include "lab/import/imported_entities.h"
#include "lab/import/imported_parents.h"
#include "lab/import/imported_template.h"
#include "lab/import/usual_generators.h"

namespace hashrange {
namespace {

// As many values are a choice.
constexpr double kMostChoiceValues = 10;

// Returns "OrderLine" for "order_line_id".
std::string EntityNameOf(std::string_view identity) {
  for (const std::string_view end : {"_id", "Id", "ID", "_number", "_date"}) {
    if (identity.size() > end.size() && identity.ends_with(end)) {
      identity.remove_suffix(end.size());
      break;
    }
  }
  std::string name;
  bool begins_word = true;
  for (const char c : identity) {
    const bool is_lower = c >= 'a' && c <= 'z';
    if (c != '_' && c != '-')
      name += begins_word && is_lower ? static_cast<char>(c - 'a' + 'A') : c;
    begins_word = c == '_' || c == '-';
  }
  return name.empty() ? "Parent" : name;
}

void AddEntityOfIds(ImportedModel& model, const ImportedEntity& user,
                    const ImportedAttribute& ids) {
  ImportedEntity made;
  made.identity = ids.name;
  made.name = EntityNameOf(ids.name);
  while (FindImportedEntity(model, made.name) != nullptr) made.name += "Ids";
  made.place = user.place;
  made.table = user.table;
  made.is_stored = false;
  made.attributes = {ids};
  made.attributes.front().distinct = 0;
  made.items = ids.distinct;
  made.notes.push_back("no item has only " + ids.name +
                       ": this entity stands for the ids in the keys of " + user.name);
  model.entities.push_back(std::move(made));
}

}  // namespace

std::string IdentityAmong(const ImportedEntity& entity, const std::vector<std::string>& names) {
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const ImportedAttribute* const attribute = FindImportedAttribute(entity, *name);
    const bool is_time = attribute != nullptr && !attribute->time_form.empty();
    if (!is_time && !IsNameOfTime(*name) && !IsNameOfChoice(*name)) return *name;
  }
  return names.empty() ? "" : names.back();
}

std::string AddEntityOfPartitionKey(ImportedModel& model, const ImportedEntity& described) {
  const std::vector<std::string> names = AttributesIn(KeyPairOf(model, described, "").partition);
  ImportedEntity made;
  made.identity = IdentityAmong(described, names);
  made.name = EntityNameOf(made.identity);
  while (FindImportedEntity(model, made.name) != nullptr) made.name += "Ids";
  made.place = described.place;
  made.table = described.table;
  made.is_stored = false;
  made.keys = {{FindImportedTable(model, described.table)->hash,
                KeyPairOf(model, described, "").partition, ""}};
  for (const std::string& name : names) {
    if (const auto* attribute = FindImportedAttribute(described, name)) {
      made.attributes.push_back(*attribute);
    }
  }
  made.items = described.items > 0 ? std::max(1.0, described.items / 10) : 0;
  made.notes.push_back("no item has only " + made.identity +
                       ": this entity stands for the ids in the keys of " + described.name);
  std::string name = made.name;
  model.entities.push_back(std::move(made));
  return name;
}

const ImportedEntity* EntityIdentifiedBy(const ImportedModel& model, std::string_view name) {
  for (const ImportedEntity& entity : model.entities) {
    if (entity.identity == name && entity.twin.empty() && entity.parent.empty()) return &entity;
  }
  for (const ImportedEntity& entity : model.entities) {
    if (entity.identity == name && entity.twin.empty()) return &entity;
  }
  return nullptr;
}

void AddEntitiesOfSharedIds(ImportedModel& model) {
  const std::vector<ImportedEntity> entities = model.entities;
  for (const ImportedEntity& entity : entities) {
    for (const ImportedAttribute& attribute : entity.attributes) {
      const bool is_id = attribute.type == ImportedType::kText && attribute.generator.empty() &&
                         attribute.time_form.empty() && !IsGenericName(attribute.name) &&
                         !IsNameOfChoice(attribute.name) && !IsNameOfTime(attribute.name);
      const bool is_shared =
          attribute.distinct > kMostChoiceValues && attribute.distinct * 2 < entity.items;
      const bool is_root_identity =
          attribute.name == entity.identity && (entity.parent.empty() || !entity.twin.empty());
      if (!is_id || !is_shared || is_root_identity) continue;
      const ImportedEntity* const other = EntityIdentifiedBy(model, attribute.name);
      if (other == nullptr || other->name == entity.name) AddEntityOfIds(model, entity, attribute);
    }
  }
}

}  // namespace hashrange
