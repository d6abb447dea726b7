#include "lab/import/import_kinds.h"

#include <initializer_list>

namespace hashrange {
namespace {

struct KindRow {
  std::string_view name;
  ImportKind kind;
};
constexpr KindRow kKinds[] = {
    {"schema", ImportKind::kSchemaJson},       {"tables", ImportKind::kTables},
    {"measurement", ImportKind::kMeasurement}, {"data-model", ImportKind::kDataModel},
    {"workbench", ImportKind::kWorkbench},     {"onetable", ImportKind::kOneTable},
    {"electrodb", ImportKind::kElectroDb},
};

bool HasAll(const JsonValue& json, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (json.Find(name) == nullptr) return false;
  }
  return true;
}

// Returns the first element of the list; null where there is none.
const JsonValue* FirstElement(const JsonValue* json) {
  const bool has_one = json != nullptr && json->type == JsonValue::Type::kArray && json->size > 0;
  return has_one ? &json->elements().front() : nullptr;
}

std::optional<ImportKind> KindOfTables(const JsonValue& table) {
  if (table.Find("table_config") != nullptr) return ImportKind::kSchemaJson;
  if (table.Find("TableName") != nullptr) return ImportKind::kDataModel;
  if (table.Find("table_name") != nullptr) return ImportKind::kDataModel;
  return std::nullopt;
}

}  // namespace

std::optional<ImportKind> ImportKindNamed(std::string_view name) {
  for (const KindRow& row : kKinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

std::string ImportKindNames() {
  std::string names;
  for (const KindRow& row : kKinds) {
    names += (names.empty() ? "" : &row == &kKinds[std::size(kKinds) - 1] ? " and " : ", ");
    names += row.name;
  }
  return names;
}

bool IsElectroEntity(const JsonValue& json) {
  return HasAll(json, {"model", "attributes", "indexes"});
}

std::optional<ImportKind> KindOfJson(const JsonValue& json) {
  if (HasAll(json, {"key_templates", "patterns", "entities"})) return ImportKind::kMeasurement;
  if (json.Find("DataModel") != nullptr) return ImportKind::kWorkbench;
  if (HasAll(json, {"models", "indexes"})) return ImportKind::kOneTable;
  if (IsElectroEntity(json)) return ImportKind::kElectroDb;
  if (const JsonValue* const first = FirstElement(&json)) {
    if (IsElectroEntity(*first)) return ImportKind::kElectroDb;
  }
  if (const JsonValue* const table = FirstElement(json.Find("tables"))) return KindOfTables(*table);
  if (HasAll(json, {"TableName", "KeySchema"})) return ImportKind::kTables;
  const JsonValue* const described = json.Find("Table");
  if (described != nullptr && described->Find("KeySchema") != nullptr) return ImportKind::kTables;
  return std::nullopt;
}

}  // namespace hashrange
