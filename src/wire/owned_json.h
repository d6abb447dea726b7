// JSON that is no request's body: an answer, a file, a part of either. OwnedJson keeps a text and
// the memory of its value together; a request's body lies in the request's own arena (json.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

// The value of a text. Movable: the value stays where it is.
class OwnedJson {
 public:
  // Errors: as ParseJsonData
  static Result<OwnedJson> Parse(std::string text, JsonDialect dialect);

  const JsonValue& value() const { return *value_; }
  bool is_object() const { return value_->type == JsonValue::Type::kObject; }
  // For values that are to live as long as this one.
  Arena& arena() { return *arena_; }

 private:
  OwnedJson() = default;

  std::unique_ptr<std::string> text_ = {};
  std::unique_ptr<Arena> arena_ = {};
  const JsonValue* value_ = nullptr;
};

// Return the text, the number or the elements of a member; what is empty, or 0, when there is no
// such member, or when it has another type.
std::string_view TextMember(const JsonValue& json, std::string_view name);
double NumberMember(const JsonValue& json, std::string_view name);
std::span<const JsonValue> ListMember(const JsonValue& json, std::string_view name);

// Returns the number of a value; nothing for a value of another type.
std::optional<double> JsonNumber(const JsonValue& json);

// Returns the value, or a text, as compact JSON.
std::string JsonText(const JsonValue& json);
std::string JsonText(std::string_view text);

// Returns the object whose members `write` writes.
std::string JsonObjectText(const std::function<void(JsonWriter& writer)>& write);

}  // namespace hashrange
