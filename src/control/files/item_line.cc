#include "control/files/item_line.h"

#include <algorithm>
#include <string>

#include "control/files/plain_json.h"

namespace hashrange {
namespace {

bool IsObject(const JsonValue& json) { return json.type == JsonValue::Type::kObject; }

// Returns whether the line is {"Item":{"PK":{"S":…}}}, as in an export. The line
// {"Item":{"S":"…"}} is not: it is an item whose only attribute is its key "Item", and the value of
// "S" is a text, not an object.
bool IsWrapped(const JsonValue& line) {
  if (line.size != 1 || line.members()[0].name != "Item") return false;
  const JsonValue& item = line.members()[0].value;
  return IsObject(item) && std::ranges::all_of(item.members(), [](const JsonMember& member) {
           return IsObject(member.value);
         });
}

Result<const JsonValue*> ReadObject(std::span<char> line, JsonDialect dialect, Arena& arena) {
  auto json = ParseJsonData(line, dialect, arena);
  if (!json.ok()) return ValidationError("it is no JSON: " + json.error().message);
  if (!IsObject(**json)) return ValidationError("it is no JSON object");
  return *json;
}

}  // namespace

Result<JsonValue> ReadItemLine(std::span<char> line, DataFormat format, Arena& arena) {
  const bool is_plain = format == DataFormat::kJson;
  HR_ASSIGN(const JsonValue* json,
            ReadObject(line, is_plain ? JsonDialect::kDocument : JsonDialect::kRequest, arena));
  if (is_plain) return ToAttributeValues(*json, arena);
  return IsWrapped(*json) ? json->members()[0].value : *json;
}

DataFormat FormatOfLine(std::string_view line, const KeySchema& key) {
  std::string copy(line);
  Arena arena;
  const auto json = ReadObject({copy.data(), copy.size()}, JsonDialect::kRequest, arena);
  // The error of a wrong line is reported when the line is read.
  if (!json.ok() || IsWrapped(**json)) return DataFormat::kDynamoDb;
  if (const JsonValue* const hash_key = (*json)->Find(key.hash[0].name)) {
    return IsObject(*hash_key) ? DataFormat::kDynamoDb : DataFormat::kJson;
  }
  const bool has_tags = std::ranges::all_of(
      (*json)->members(), [](const JsonMember& member) { return IsObject(member.value); });
  return has_tags ? DataFormat::kDynamoDb : DataFormat::kJson;
}

}  // namespace hashrange
