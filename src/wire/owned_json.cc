#include "wire/owned_json.h"

#include <utility>

#include "base/library_gaps.h"
#include "base/memory/output_buffer.h"
#include "wire/json_writer.h"

namespace hashrange {

Result<OwnedJson> OwnedJson::Parse(std::string text, JsonDialect dialect) {
  OwnedJson owned;
  const std::size_t size = text.size();
  text.push_back('\0');  // the byte behind the text is a terminator
  owned.text_ = std::make_unique<std::string>(std::move(text));
  owned.arena_ = std::make_unique<Arena>();
  HR_ASSIGN(owned.value_, ParseJsonData({owned.text_->data(), size}, dialect, *owned.arena_));
  return owned;
}

std::string_view TextMember(const JsonValue& json, std::string_view name) {
  const JsonValue* const member = json.Find(name);
  const bool is_text = member != nullptr && member->type == JsonValue::Type::kString;
  return is_text ? member->string() : std::string_view();
}

double NumberMember(const JsonValue& json, std::string_view name) {
  const JsonValue* const member = json.Find(name);
  return member ? JsonNumber(*member).value_or(0) : 0;
}

std::span<const JsonValue> ListMember(const JsonValue& json, std::string_view name) {
  const JsonValue* const member = json.Find(name);
  if (!member || member->type != JsonValue::Type::kArray) return {};
  return member->elements();
}

std::optional<double> JsonNumber(const JsonValue& json) {
  switch (json.type) {
    case JsonValue::Type::kInteger:
      return static_cast<double>(json.integer);
    case JsonValue::Type::kHugeInteger:
    case JsonValue::Type::kDecimal:
      return json.decimal;
    case JsonValue::Type::kNumberText: {
      double number = 0;
      const std::string_view text = json.string();
      FromChars(text.data(), text.data() + text.size(), number);
      return number;
    }
    default:
      return std::nullopt;
  }
}

std::string JsonText(const JsonValue& json) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(json, writer);
  return std::string(out.view());
}

std::string JsonObjectText(const std::function<void(JsonWriter& writer)>& write) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  write(writer);
  writer.EndObject();
  return std::string(out.view());
}

std::string JsonText(std::string_view text) { return JsonText(JsonValue::String(text)); }

}  // namespace hashrange
