// DataFormat: the forms in which items are written in files, and their reading and writing.
//
//   kDynamoDb  {"Item":{"PK":{"S":"USER#1"},"age":{"N":"7"}}}   each item is a line, as in an
//                                                               export of the service;
//              {"PK":{"S":"USER#1"},"age":{"N":"7"}}            the wrapper may be left out
//   kJson      {"PK":"USER#1","age":7}                          each item is a line
//   kCsv       PK,age:N                                         RFC 4180, a header first
//              USER#1,7
//
// In the first two formats an item may also be an object of several lines, an element of an array,
// or a part of a Scan's answer (block_reader.h). The first item of a file shows which of these two
// formats the file has: the value of a key attribute is an object in kDynamoDb, and a text or a
// number in kJson. csv.h reads the third.
//
// Plain JSON is converted as document clients do it: a text is an S, a number an N, true and false
// are BOOL, null is NULL, an array is an L, an object an M. It has no sets and no binary.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "value/item.h"
#include "value/schema.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class DataFormat { kDynamoDb, kJson, kCsv };

// Returns the format named "dynamodb", "json" or "csv"; nullopt for any other name.
std::optional<DataFormat> ParseDataFormat(std::string_view name);

// What the name of a data file says about the file.
struct DataFileName {
  std::string_view stem;  // without ".jsonl", ".csv.gz", …
  bool is_csv = false;
};
// Returns the parts of a name that ends in ".json", ".jsonl", ".ndjson" or ".csv", with or without
// ".gz" behind; nullopt for any other name.
std::optional<DataFileName> ParseDataFileName(std::string_view file_name);

// Returns the item in a line of JSON, or in an object over several lines, as a PutItem request has
// it: {"PK":{"S":…},…}. The line is overwritten, and the byte behind it is changed during the call.
// Errors: ValidationException  the line is no JSON, or no object
Result<JsonValue> ReadItemLine(std::span<char> line, DataFormat format, Arena& arena);

// Returns the format of a file with this line: kDynamoDb or kJson. A line that is no JSON object
// gives kDynamoDb.
DataFormat FormatOfLine(std::string_view line, const KeySchema& key);

// {"name":"Ann","age":7} → {"name":{"S":"Ann"},"age":{"N":"7"}}. `object` was parsed as a document
// (JsonDialect::kDocument).
JsonValue ToAttributeValues(const JsonValue& object, Arena& arena);
// 7 → {"N":"7"}
JsonValue ToAttributeValue(const JsonValue& value, Arena& arena);

// Writes the item as an object of plain JSON.
// Errors: ValidationException  the item contains a set or binary
Status WritePlainItem(ItemView item, JsonWriter& writer);

}  // namespace hashrange
