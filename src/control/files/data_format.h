// DataFormat: the forms in which items are written in files.
//
//   kDynamoDb  {"Item":{"PK":{"S":"USER#1"},"age":{"N":"7"}}}   each item is a line, as in an
//                                                               export of the service;
//              {"PK":{"S":"USER#1"},"age":{"N":"7"}}            the wrapper may be left out
//   kJson      {"PK":"USER#1","age":7}                          each item is a line
//   kCsv       PK,age:N                                         RFC 4180, a header first
//              USER#1,7
//
// In the first two formats an item may also be an object of several lines, an element of an array,
// or a part of a Scan's answer (value_reader.h). The first item of a file shows which of these two
// formats the file has: the value of a key attribute is an object in kDynamoDb, and a text or a
// number in kJson.
#pragma once

#include <optional>
#include <string_view>

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

}  // namespace hashrange
