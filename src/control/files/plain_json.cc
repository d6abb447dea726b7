#include "control/files/plain_json.h"

#include <span>
#include <string>

#include "control/files/json_tree.h"
#include "value/number.h"

namespace hashrange {
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
