#include "lab/run/answer/fetch_keys.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "lab/language/data/placeholder_form.h"
#include "value/number.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Returns the text of a value of the type S or N; null where it is something else.
const JsonMember* ScalarIn(const JsonValue* value) {
  if (value == nullptr || value->type != JsonValue::Type::kObject || value->size != 1) {
    return nullptr;
  }
  const JsonMember& tagged = value->members().front();
  const bool is_scalar =
      tagged.value.type == JsonValue::Type::kString && (tagged.name == "S" || tagged.name == "N");
  return is_scalar ? &tagged : nullptr;
}

// Appends the text of the placeholder at the place `part` of a text of the template. Returns false
// where the text is no such text.
bool AppendPartOf(std::string_view text, const LabTemplate& from, std::size_t part,
                  std::string& out) {
  for (std::size_t i = 0; i <= part; ++i) {
    const std::string& literal = from.parts[i].literal;
    if (!text.starts_with(literal)) return false;
    text.remove_prefix(literal.size());
    const bool is_last = i + 1 == from.parts.size();
    const std::size_t end = is_last ? text.size() : text.find(from.parts[i + 1].literal);
    if (end == text.npos) return false;
    if (i == part) out += text.substr(0, end);
    text.remove_prefix(end);
  }
  return true;
}

// Appends the attribute of a key. Returns false where the item lacks what it is made of.
bool AppendKeyAttribute(const JsonValue& item, const FetchedKeyAttribute& attribute,
                        JsonWriter& writer) {
  if (attribute.text.parts.empty()) {
    const JsonValue* const value = item.Find(attribute.name);
    if (value == nullptr) return false;
    writer.Name(attribute.name);
    WriteJson(*value, writer);
    return true;
  }
  std::size_t part = 0;
  std::string text;
  const auto append_value = [&](LabAttributeRef, std::string& out) {
    const AnsweredValue& from = attribute.from[part++];
    const JsonMember* const value = ScalarIn(item.Find(from.name));
    if (value == nullptr) return false;
    if (!from.text.parts.empty()) {
      return AppendPartOf(value->value.string(), from.text, from.part, out);
    }
    out += value->value.string();
    return true;
  };
  if (!AppendTemplateText(attribute.text, append_value, text)) return false;
  writer.BeginObject(attribute.name);
  writer.StringMember(attribute.type == LabType::kNumber ? "N" : "S", text);
  writer.EndObject();
  return true;
}

void AddItems(const JsonValue* list, std::vector<const JsonValue*>& items) {
  if (list == nullptr || list->type != JsonValue::Type::kArray) return;
  for (const JsonValue& item : list->elements()) items.push_back(&item);
}

}  // namespace

void ParseItems(std::string& answer, ParsedItems& parsed) {
  parsed.items.clear();
  parsed.arena.Reset();
  const auto json = ParseJsonData(answer, JsonDialect::kDocument, parsed.arena);
  if (!json.ok()) return;
  AddItems((*json)->Find("Items"), parsed.items);
  if (const JsonValue* const item = (*json)->Find("Item")) parsed.items.push_back(item);
  const JsonValue* const results = (*json)->Find("SearchResults");
  if (results != nullptr && results->type == JsonValue::Type::kArray) {
    for (const JsonValue& result : results->elements()) {
      if (const JsonValue* const item = result.Find("Item")) parsed.items.push_back(item);
    }
  }
  const JsonValue* const tables = (*json)->Find("Responses");
  if (tables == nullptr || tables->type != JsonValue::Type::kObject) return;
  for (const JsonMember& table : tables->members()) AddItems(&table.value, parsed.items);
}

void FetchKeys::Clear() {
  text_.clear();
  entries_.clear();
}

void FetchKeys::Add(const JsonValue& item, const PlanStep& step) {
  key_.Clear();
  JsonWriter writer(key_);
  writer.BeginObject();
  for (const FetchedKeyAttribute& attribute : step.fetched_key) {
    if (!AppendKeyAttribute(item, attribute, writer)) return;
  }
  writer.EndObject();
  Entry& entry = entries_.emplace_back(Entry{.begin = text_.size(), .size = key_.view().size()});
  text_ += key_.view();
  const JsonMember* const order =
      step.merge_by.empty() ? nullptr : ScalarIn(item.Find(step.merge_by));
  if (order == nullptr) return;
  entry.order = order->value.string();
  Number number;
  if (order->name != "N" || Number::Parse(entry.order, &number) != NumberError::kNone) return;
  entry.order = number.stored();
}

std::size_t FetchKeys::Finish(const PlanStep& step) {
  if (!step.merge_by.empty()) Sort(step.merges_backward);
  const auto leave_first = [&] {
    const auto wanted = static_cast<std::size_t>(step.items);
    if (wanted > 0 && entries_.size() > wanted) entries_.resize(wanted);
  };
  // Several items may refer to one: of these, the items are counted, and not what they refer to.
  const bool counts_items = step.kind == PlanStep::Kind::kFetchReferred;
  if (counts_items) leave_first();
  absl::flat_hash_set<std::string_view> known;
  std::erase_if(entries_, [&](const Entry& entry) { return !known.insert(KeyOf(entry)).second; });
  if (!counts_items) leave_first();
  return entries_.size();
}

void FetchKeys::Sort(bool is_backward) {
  std::ranges::stable_sort(entries_, [is_backward](const Entry& one, const Entry& other) {
    return is_backward ? other.order < one.order : one.order < other.order;
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
