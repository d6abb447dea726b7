#include "lab/run/unprocessed_items.h"

#include <algorithm>

#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Returns whether the item has each attribute of the key.
bool HasKey(const JsonValue* item, const JsonValue& key) {
  if (item == nullptr) return false;
  return std::ranges::all_of(key.members(), [&](const JsonMember& part) {
    const JsonValue* const value = item->Find(part.name);
    return value != nullptr && JsonText(*value) == JsonText(part.value);
  });
}

}  // namespace

const JsonValue* AttributesOfMember(const JsonValue& member) {
  if (const JsonValue* const put = member.Find("PutRequest")) return put->Find("Item");
  const JsonValue* const deletion = member.Find("DeleteRequest");
  return deletion == nullptr ? nullptr : deletion->Find("Key");
}

UnprocessedItems::UnprocessedItems(std::string_view json) : text_(json) {
  const auto tables = ParseJsonData(text_, JsonDialect::kDocument, arena_);
  if (tables.ok()) tables_ = *tables;
}

bool UnprocessedItems::Contain(std::string_view table, std::string_view key) const {
  const JsonValue* const requests = tables_ == nullptr ? nullptr : tables_->Find(table);
  if (requests == nullptr || requests->type != JsonValue::Type::kArray) return false;
  Arena arena;
  std::string text(key);
  const auto parsed = ParseJsonData(text, JsonDialect::kDocument, arena);
  if (!parsed.ok() || (*parsed)->type != JsonValue::Type::kObject) return false;
  return std::ranges::any_of(requests->elements(), [&](const JsonValue& request) {
    return HasKey(AttributesOfMember(request), **parsed);
  });
}

}  // namespace hashrange
