// TableJson is the definition of a table in a file, as an input of CreateTable. A file contains
//
//   {"TableName":…,"KeySchema":…}       the input of CreateTable
//   {"Table":{…}}                       an answer of DescribeTable, or of CreateTable
//                                       ({"TableDescription":{…}})
//
// and optionally "Tags" and "TimeToLiveSpecification", as UpdateTimeToLive takes it, or
// "TimeToLiveDescription", as DescribeTimeToLive answers it. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

struct TableJson {
  JsonValue create_table;  // the input of CreateTable; its members are not checked yet
  std::optional<std::string_view> ttl_attribute;  // nullopt: time to live is off
};

// The names that a table has apart from its definition.
struct TableNames {
  std::optional<std::string_view> replacement = {};  // replaces a TableName
  // The name where the definition has no TableName; empty: the definition must have one.
  std::string_view fallback = {};
};

// Returns the definition in `json`. It has views of `json`, `names` and `arena`.
// Errors: ValidationException  the JSON is no object, or the table has no name
Result<TableJson> ReadTableJson(const JsonValue& json, const TableNames& names, Arena& arena);

}  // namespace hashrange
