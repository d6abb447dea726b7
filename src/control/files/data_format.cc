#include "control/files/data_format.h"

#include <algorithm>
#include <span>
#include <string>

#include "control/files/json_tree.h"
#include "value/number.h"

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

namespace {

JsonValue ToAttributeList(const JsonValue& array, Arena& arena) {
  const std::span<JsonValue> elements = arena.NewArray<JsonValue>(array.size);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = ToAttributeValue(array.elements()[i], arena);
  }
  return MakeJsonArray(elements);
}

bool WritePlainValue(ValueView value, JsonWriter& writer);

bool WriteList(ValueView list, JsonWriter& writer) {
  writer.BeginArray();
  for (ListReader elements(list); !elements.done();) {
    if (!WritePlainValue(elements.Next(), writer)) return false;
  }
  writer.EndArray();
  return true;
}

bool WriteMap(ValueView map, JsonWriter& writer) {
  writer.BeginObject();
  for (MapReader entries(map); !entries.done();) {
    const Attribute entry = entries.Next();
    writer.Name(entry.name);
    if (!WritePlainValue(entry.value, writer)) return false;
  }
  writer.EndObject();
  return true;
}

// Returns false when plain JSON cannot express the value.
bool WritePlainValue(ValueView value, JsonWriter& writer) {
  switch (value.type) {
    case AttributeType::kS:
      writer.String(value.bytes());
      return true;
    case AttributeType::kN: {
      char text[Number::kMaxTextBytes];
      const int size = WriteNumberText(value.bytes(), text);
      writer.Raw({text, static_cast<std::size_t>(size)});
      return true;
    }
    case AttributeType::kBool:
      writer.Bool(value.boolean());
      return true;
    case AttributeType::kNull:
      writer.Raw("null");
      return true;
    case AttributeType::kL:
      return WriteList(value, writer);
    case AttributeType::kM:
      return WriteMap(value, writer);
    default:
      return false;
  }
}

}  // namespace

JsonValue ToAttributeValues(const JsonValue& object, Arena& arena) {
  const std::span<JsonMember> members = arena.NewArray<JsonMember>(object.size);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const JsonMember& member = object.members()[i];
    members[i] = {member.name, ToAttributeValue(member.value, arena)};
  }
  return MakeJsonObject(members);
}

JsonValue ToAttributeValue(const JsonValue& value, Arena& arena) {
  switch (value.type) {
    case JsonValue::Type::kNull:
      return MakeJsonObject({{"NULL", MakeJsonBool(true)}}, arena);
    case JsonValue::Type::kFalse:
    case JsonValue::Type::kTrue:
      return MakeJsonObject({{"BOOL", value}}, arena);
    case JsonValue::Type::kString:
      return MakeJsonObject({{"S", value}}, arena);
    case JsonValue::Type::kArray:
      return MakeJsonObject({{"L", ToAttributeList(value, arena)}}, arena);
    case JsonValue::Type::kObject:
      return MakeJsonObject({{"M", ToAttributeValues(value, arena)}}, arena);
    default:  // a document has numbers as text only
      return MakeJsonObject({{"N", JsonValue::String(value.string())}}, arena);
  }
}

Status WritePlainItem(ItemView item, JsonWriter& writer) {
  std::string refused;
  writer.BeginObject();
  item.ForEach([&](const Attribute& attribute) {
    if (!refused.empty()) return;
    writer.Name(attribute.name);
    if (!WritePlainValue(attribute.value, writer)) refused = attribute.name;
  });
  if (!refused.empty()) {
    return ValidationError("the attribute " + refused +
                           " holds a set or binary, for which plain JSON has no form: dump it in "
                           "the format dynamodb");
  }
  writer.EndObject();
  return {};
}

}  // namespace hashrange
