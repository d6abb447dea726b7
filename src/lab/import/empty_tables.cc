// Tables of which only the definition is known.
#include <algorithm>

#include "lab/import/import_readers.h"
#include "lab/import/imported_names.h"
#include "lab/import/imported_template.h"

namespace hashrange {
namespace {

ImportedEntity EntityOf(const ImportedTable& table, ImportedModel& model) {
  ImportedEntity entity;
  entity.place = table.name;
  entity.table = table.name;
  entity.name = NewEntityName(table.name, "tables", model);
  const auto add = [&](const std::string& name, const std::string& index) {
    const bool is_new =
        std::ranges::find(entity.keys, name, &ImportedKey::attribute) == entity.keys.end();
    if (!name.empty() && is_new) {
      entity.keys.push_back({name, BareImportedTemplate(PlainName(name)), index});
    }
  };
  add(table.hash, "");
  add(table.range, "");
  for (const ImportedIndex& index : table.indexes) {
    for (const std::string& name : index.hash) add(name, index.name);
    for (const std::string& name : index.range) add(name, index.name);
  }
  return entity;
}

}  // namespace

void AddTablesWithoutItems(ImportedModel& model) {
  const std::vector<ImportedTable> tables = model.tables;
  for (const ImportedTable& table : tables) {
    const bool has_items = std::ranges::any_of(
        model.entities, [&](const ImportedEntity& entity) { return entity.table == table.name; });
    if (has_items) continue;
    model.entities.push_back(EntityOf(table, model));
    model.remarks.push_back(
        "the table " + table.name +
        " has no items that show its entities: one entity with the table's keys "
        "stands for them");
  }
}

}  // namespace hashrange
