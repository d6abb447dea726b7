#include "lab/run/answer/fetch_keys.h"

#include <algorithm>
#include <charconv>

#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {

void FetchKeys::Clear() {
  text_.clear();
  entries_.clear();
}

void FetchKeys::AddFrom(std::string& answer, const std::vector<std::string>& key_attributes,
                        const std::string& merge_by) {
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
    const bool is_known = std::ranges::any_of(
        entries_, [&](const Entry& entry) { return KeyOf(entry) == key_.view(); });
    if (is_known) continue;
    Entry& entry = entries_.emplace_back(Entry{.begin = text_.size(), .size = key_.view().size()});
    text_ += key_.view();
    const JsonValue* const order = merge_by.empty() ? nullptr : item.Find(merge_by);
    if (order == nullptr || order->type != JsonValue::Type::kObject || order->size != 1) continue;
    const JsonMember& tagged = order->members().front();
    if (tagged.value.type != JsonValue::Type::kString) continue;
    entry.order = tagged.value.string();
    if (tagged.name != "N") continue;
    std::from_chars(entry.order.data(), entry.order.data() + entry.order.size(), entry.number);
    entry.order.clear();
  }
}

void FetchKeys::Sort(bool is_backward) {
  std::ranges::stable_sort(entries_, [is_backward](const Entry& one, const Entry& other) {
    const Entry& first = is_backward ? other : one;
    const Entry& second = is_backward ? one : other;
    return first.number != second.number ? first.number < second.number
                                         : first.order < second.order;
  });
}

void FetchKeys::PutInto(std::string& request, std::size_t from, std::size_t to) const {
  constexpr std::string_view kList = R"("Keys":[)";
  const std::size_t at = request.find(R"("Keys":[])");
  if (at == request.npos || from >= to) return;
  std::string keys;
  for (std::size_t place = from; place < to; ++place) {
    if (!keys.empty()) keys += ',';
    keys += KeyOf(entries_[place]);
  }
  request.insert(at + kList.size(), keys);
}

}  // namespace hashrange
