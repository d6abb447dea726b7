#include "lab/run/answer/fetch_keys.h"

#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {

void FetchKeys::Clear() {
  text_.clear();
  ends_.clear();
}

std::string_view FetchKeys::KeyAt(std::size_t place) const {
  const std::size_t begin = place == 0 ? 0 : ends_[place - 1] + 1;
  return std::string_view(text_).substr(begin, ends_[place] - begin);
}

void FetchKeys::AddFrom(std::string& answer, const std::vector<std::string>& key_attributes) {
  arena_.Reset();
  const auto json = ParseJsonData(answer, JsonDialect::kDocument, arena_);
  const JsonValue* const items = json.ok() ? (*json)->Find("Items") : nullptr;
  if (items == nullptr || items->type != JsonValue::Type::kArray) return;
  for (const JsonValue& item : items->elements()) {
    key_.Clear();
    JsonWriter writer(key_);
    writer.BeginObject();
    for (const std::string& name : key_attributes) {
      const JsonValue* const value = item.Find(name);
      if (value == nullptr) continue;
      writer.Name(name);
      WriteJson(*value, writer);
    }
    writer.EndObject();
    bool is_new = true;
    for (std::size_t place = 0; place < size() && is_new; ++place) {
      is_new = KeyAt(place) != key_.view();
    }
    if (!is_new) continue;
    text_ += key_.view();
    ends_.push_back(text_.size());
    text_ += ',';
  }
}

void FetchKeys::PutInto(std::string& request, std::size_t from, std::size_t to) const {
  constexpr std::string_view kList = R"("Keys":[)";
  const std::size_t at = request.find(R"("Keys":[])");
  if (at == request.npos || from >= to) return;
  const std::size_t begin = from == 0 ? 0 : ends_[from - 1] + 1;
  request.insert(at + kList.size(), text_, begin, ends_[to - 1] - begin);
}

}  // namespace hashrange
