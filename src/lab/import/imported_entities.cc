#include "lab/import/imported_entities.h"

#include <algorithm>

#include "lab/import/imported_template.h"

namespace hashrange {
namespace {

template <typename Named>
auto* FindNamed(std::vector<Named>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  return found == all.end() ? nullptr : &*found;
}

template <typename Named>
const Named* FindNamed(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  return found == all.end() ? nullptr : &*found;
}

ImportedTemplate TemplateOfKey(const ImportedEntity& entity, std::string_view attribute) {
  for (const ImportedKey& key : entity.keys) {
    if (key.attribute == attribute) return key.text;
  }
  return {};
}

}  // namespace

ImportedEntity* FindImportedEntity(ImportedModel& model, std::string_view name) {
  return FindNamed(model.entities, name);
}
const ImportedEntity* FindImportedEntity(const ImportedModel& model, std::string_view name) {
  return FindNamed(model.entities, name);
}
const ImportedTable* FindImportedTable(const ImportedModel& model, std::string_view name) {
  return FindNamed(model.tables, name);
}
const ImportedAttribute* FindImportedAttribute(const ImportedEntity& entity,
                                               std::string_view name) {
  return FindNamed(entity.attributes, name);
}

bool IsKnownOf(const ImportedModel& model, const ImportedEntity& entity, std::string_view name) {
  if (FindImportedAttribute(entity, name) != nullptr) return true;
  const ImportedEntity* ancestor = FindImportedEntity(model, entity.parent);
  for (std::size_t depth = 0; ancestor != nullptr && depth < model.entities.size(); ++depth) {
    if (ancestor->identity == name) return true;
    ancestor = FindImportedEntity(model, ancestor->parent);
  }
  return false;
}

ImportedKeyPair KeyPairOf(const ImportedModel& model, const ImportedEntity& entity,
                          std::string_view index) {
  const ImportedTable* const table = FindImportedTable(model, entity.table);
  if (table == nullptr) return {};
  if (index.empty()) {
    return {TemplateOfKey(entity, table->hash), TemplateOfKey(entity, table->range)};
  }
  const ImportedIndex* const found = FindNamed(table->indexes, index);
  ImportedKeyPair pair;
  if (found == nullptr) return pair;
  const auto append = [&](const std::vector<std::string>& names, ImportedTemplate& text) {
    for (const std::string& name : names) {
      const ImportedTemplate part = TemplateOfKey(entity, name);
      text.insert(text.end(), part.begin(), part.end());
    }
  };
  append(found->hash, pair.partition);
  append(found->range, pair.sort);
  return pair;
}

std::vector<std::string> PlaceholdersOf(const ImportedKeyPair& keys) {
  ImportedTemplate both = keys.partition;
  both.insert(both.end(), keys.sort.begin(), keys.sort.end());
  return AttributesIn(both);
}

}  // namespace hashrange
