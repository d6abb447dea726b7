#include "wire/json.h"

#include "base/same_text.h"
#include "wire/json_writer.h"

namespace hashrange {

const JsonValue* JsonValue::Find(std::string_view name) const {
  if (type != Type::kObject) return nullptr;
  for (const JsonMember& member : members()) {
    if (SameText(member.name, name)) return &member.value;
  }
  return nullptr;
}

void WriteJson(const JsonValue& json, JsonWriter& writer) {
  switch (json.type) {
    case JsonValue::Type::kNull:
      return writer.Raw("null");
    case JsonValue::Type::kFalse:
    case JsonValue::Type::kTrue:
      return writer.Bool(json.type == JsonValue::Type::kTrue);
    case JsonValue::Type::kInteger:
      return writer.Integer(json.integer);
    case JsonValue::Type::kHugeInteger:
    case JsonValue::Type::kDecimal:
      return writer.Double(json.decimal);
    case JsonValue::Type::kNumberText:
      return writer.Raw(json.string());
    case JsonValue::Type::kString:
      return writer.String(json.string());
    case JsonValue::Type::kArray:
      writer.BeginArray();
      for (const JsonValue& element : json.elements()) WriteJson(element, writer);
      return writer.EndArray();
    case JsonValue::Type::kObject:
      writer.BeginObject();
      for (const JsonMember& member : json.members()) {
        writer.Name(member.name);
        WriteJson(member.value, writer);
      }
      return writer.EndObject();
  }
}

}  // namespace hashrange
