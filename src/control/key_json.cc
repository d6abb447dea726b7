#include "control/key_json.h"

#include <string>

#include "control/control_json.h"
#include "operation/parameter/item_key.h"
#include "value/attribute_value.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

Error InvalidKey(std::string_view why) {
  std::string sentence(R"("key" is not DynamoDB JSON such as {"PK":{"S":"a"}})");
  if (!why.empty()) sentence.append(": ").append(why);
  if (!sentence.ends_with('.')) sentence.push_back('.');
  return ValidationError(std::move(sentence));
}

// The types are checked by the shape of an operation that has a Key.
Status CheckTypes(const JsonValue& json, Arena& arena) {
  const auto members = arena.NewArray<JsonMember>(2);
  members[0] = {"Key", json};
  members[1] = {"TableName", JsonValue::String("any")};
  JsonValue request;
  request.type = JsonValue::Type::kObject;
  request.size = 2;
  request.first_member = members.data();
  return BindRequest(*FindOperationShape("GetItem"), request);
}

// Returns the text: "PK" (S) and "SK" (N)
std::string KeyPartsText(const KeySchema& key) {
  std::string parts;
  for (std::size_t i = 0; i < key.parts(); ++i) {
    if (i > 0) parts += " and ";
    parts += Quoted(key.part(i).name) + " (" + std::string(TypeTag(key.part(i).type)) + ")";
  }
  return parts;
}

}  // namespace

Result<std::span<const Attribute>> ReadKeyJson(const JsonValue& json, Arena& arena) {
  if (Status status = CheckTypes(json, arena); !status.ok()) {
    return InvalidKey(status.error().message);
  }
  auto attributes = ReadAttributes(json, ValidationLayer::kBare, arena);
  if (!attributes.ok()) return InvalidKey(attributes.error().message);
  for (const Attribute& attribute : *attributes) {
    const AttributeType type = attribute.value.type;
    if (type == AttributeType::kS || type == AttributeType::kN || type == AttributeType::kB) {
      continue;
    }
    return ValidationError("\"key\" has " + Quoted(attribute.name) + " of type " +
                           std::string(TypeTag(type)) + ", where a key attribute is S, N or B.");
  }
  return std::span<const Attribute>(*attributes);
}

Status CheckWholeKey(const TableVersion& table, std::span<const Attribute> key) {
  if (!CheckKeyMatchesSchema(table.key, key).ok()) {
    return ValidationError("\"key\" is not the key of table " + Quoted(table.name) + ", which is " +
                           KeyPartsText(table.key) + ".");
  }
  if (Status status = CheckKeyValues(table.key, key); !status.ok()) {
    return InvalidKey(status.error().message);
  }
  return {};
}

}  // namespace hashrange
