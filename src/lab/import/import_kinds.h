// The kinds of models that `hashrange lab import` reads. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wire/json.h"

namespace hashrange {

enum class ImportKind : std::uint8_t {
  kSchemaJson,   // AWS Labs' schema.json
  kTables,       // CreateTable inputs or DescribeTable answers, and items
  kMeasurement,  // what `hashrange ctl measure show` prints
  kDataModel,    // dynamodb_data_model.json, in either form
  kWorkbench,    // NoSQL Workbench
  kOneTable,
  kElectroDb,
};

// Returns the kind of that name, "workbench"; nothing for other names.
std::optional<ImportKind> ImportKindNamed(std::string_view name);

// Returns "schema.json, tables, …" for sentences.
std::string ImportKindNames();

// Returns the kind that the JSON has by its members; nothing where none is known.
std::optional<ImportKind> KindOfJson(const JsonValue& json);

// Returns whether the JSON is one entity of ElectroDB.
bool IsElectroEntity(const JsonValue& json);

}  // namespace hashrange
