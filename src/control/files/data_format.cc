#include "control/files/data_format.h"

namespace hashrange {

std::optional<DataFormat> ParseDataFormat(std::string_view name) {
  if (name == "dynamodb") return DataFormat::kDynamoDb;
  if (name == "json") return DataFormat::kJson;
  if (name == "csv") return DataFormat::kCsv;
  return std::nullopt;
}

std::optional<DataFileName> ParseDataFileName(std::string_view file_name) {
  constexpr std::string_view kEndings[] = {".json", ".jsonl", ".ndjson", ".csv"};
  if (file_name.ends_with(".gz")) file_name.remove_suffix(3);
  for (std::string_view ending : kEndings) {
    if (!file_name.ends_with(ending)) continue;
    file_name.remove_suffix(ending.size());
    return DataFileName{file_name, ending == ".csv"};
  }
  return std::nullopt;
}

}  // namespace hashrange
