#include "wire/owned_json.h"

#include <utility>

#include "base/output_buffer.h"
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

std::string JsonText(const JsonValue& json) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(json, writer);
  return std::string(out.view());
}

}  // namespace hashrange
