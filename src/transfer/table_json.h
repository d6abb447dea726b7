// TableJson: a table's definition as a file holds it → what CreateTable takes.
//
//   {"TableName":…,"KeySchema":…}       the input of CreateTable
//   {"Table":{…}}                       an answer of DescribeTable, or CreateTable's own
//                                       ({"TableDescription":{…}})
//
// Beside either may stand "TimeToLiveSpecification", as UpdateTimeToLive takes it, or
// "TimeToLiveDescription", as DescribeTimeToLive answers it, and "Tags". Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

struct TableJson {
  JsonValue create_table;  // the input of CreateTable; its members are not checked yet
  std::optional<std::string_view> ttl_attribute;  // time to live is on
};

// What a table is named beside its definition.
struct TableNames {
  std::optional<std::string_view> always = {};  // whatever the definition says
  std::string_view otherwise =
      {};  // where the definition has no TableName; empty: it must have one
};

// Errors: ValidationException  no object, or no name
Result<TableJson> ReadTableJson(const JsonValue& json, const TableNames& names, Arena& arena);

}  // namespace hashrange
