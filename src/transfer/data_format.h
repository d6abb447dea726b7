// DataFormat: the forms in which items stand in files.
//
//   kDynamoDb  {"Item":{"PK":{"S":"USER#1"},"age":{"N":"7"}}}   a line each, as the service
//   exports;
//              {"PK":{"S":"USER#1"},"age":{"N":"7"}}            the wrapper may be left out
//   kJson      {"PK":"USER#1","age":7}                          a line each
//   kCsv       PK,age:N                                         RFC 4180, a header first
//              USER#1,7
//
// Which of the first two a file has is seen in its first line: what stands for a key is an object
// in one and a text or number in the other, so none can be taken for the other.
#pragma once

#include <optional>
#include <string_view>

namespace hashrange {

enum class DataFormat { kDynamoDb, kJson, kCsv };

// "dynamodb", "json" and "csv"; nullopt for anything else.
std::optional<DataFormat> ParseDataFormat(std::string_view name);

// What the name of a data file says of it.
struct DataFileName {
  std::string_view stem;  // without ".jsonl", ".csv.gz", …
  bool is_csv = false;
};
// ".json", ".jsonl", ".ndjson" and ".csv", each with ".gz" behind it or not; nullopt for another
// name.
std::optional<DataFileName> ParseDataFileName(std::string_view file_name);

}  // namespace hashrange
