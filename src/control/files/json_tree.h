// Functions that build JSON values, of the same type as parsed values, so that the readers of
// requests can read them. Pure functions; any thread.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "wire/json.h"

namespace hashrange {

inline JsonValue MakeJsonBool(bool value) {
  JsonValue json;
  json.type = value ? JsonValue::Type::kTrue : JsonValue::Type::kFalse;
  return json;
}

inline JsonValue MakeJsonInteger(std::int64_t value) {
  JsonValue json;
  json.type = JsonValue::Type::kInteger;
  json.integer = value;
  return json;
}

// The value refers to the members or elements, which must outlive it.
inline JsonValue MakeJsonObject(std::span<const JsonMember> members) {
  JsonValue json;
  json.type = JsonValue::Type::kObject;
  json.size = static_cast<std::uint32_t>(members.size());
  json.first_member = members.data();
  return json;
}
inline JsonValue MakeJsonArray(std::span<const JsonValue> elements) {
  JsonValue json;
  json.type = JsonValue::Type::kArray;
  json.size = static_cast<std::uint32_t>(elements.size());
  json.first_element = elements.data();
  return json;
}

inline JsonValue MakeJsonObject(std::initializer_list<JsonMember> members, Arena& arena) {
  return MakeJsonObject(arena.Copy(std::span<const JsonMember>(members.begin(), members.size())));
}

}  // namespace hashrange
