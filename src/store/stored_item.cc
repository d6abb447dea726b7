#include "store/stored_item.h"

#include <algorithm>

#include "base/text/text_encodings.h"
#include "store/stored_value.h"
#include "value/key.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

Error Damaged(std::string what) {
  return Error{ErrorCode::kInternalServerError, std::move(what), nullptr};
}

// Reads the encoded part at the start of `*rest`, and removes it. Returns false if it is none.
bool TakeNumberPart(std::string_view* rest, ValueView* value) {
  const bool is_negative = !rest->empty() && static_cast<unsigned char>(rest->front()) < 0x80;
  const std::size_t end = rest->find(is_negative ? '\x66' : '\0', 1);
  if (end == std::string_view::npos) return false;
  *value = {AttributeType::kN, rest->substr(0, is_negative ? end + 1 : end)};
  rest->remove_prefix(end + 1);
  return IsStoredNumber(value->bytes());
}

bool TakeTextPart(AttributeType type, std::string_view* rest, Arena& arena, ValueView* value,
                  bool* is_escaped) {
  std::size_t at = 0;
  *is_escaped = false;
  while (true) {
    at = rest->find('\0', at);
    if (at == std::string_view::npos || at + 1 == rest->size()) return false;
    const char next = (*rest)[at + 1];
    if (next == '\x01') break;
    if (next != '\xff') return false;
    *is_escaped = true;
    at += 2;
  }
  std::size_t begin = 0;
  *value =
      *is_escaped ? DecodePart(*rest, &begin, type, arena) : ValueView(type, rest->substr(0, at));
  rest->remove_prefix(at + 2);
  return type == AttributeType::kB || IsValidUtf8(value->bytes());
}

}  // namespace

void AppendStoredItem(const Item& item, std::string* out) {
  char count[5];
  out->append(count, WriteVarint(item.packed_attribute_count(), count));
  out->append(item.packed_attributes());
}

Result<ItemRef> StoredItemReader::Read(std::uint64_t hash, std::string_view key,
                                       std::string_view value) {
  arena_.Reset();
  HR_RETURN_IF_ERROR(ReadKey(hash, key));
  HR_RETURN_IF_ERROR(ReadAttributes(value));
  for (std::size_t i = 0; i < key_values_.size(); ++i) HR_RETURN_IF_ERROR(PlaceKeyAttribute(i));
  ItemRef item = Item::Make(schema_, attributes_, hash);
  if (item->size_bytes() > kMaxItemSizeBytes) return Damaged("it is too large");
  return item;
}

Status StoredItemReader::ReadKey(std::uint64_t hash, std::string_view key) {
  key_values_.clear();
  is_escaped_.clear();
  for (std::size_t i = 0; i < schema_.parts(); ++i) {
    const AttributeType type = schema_.part(i).type;
    ValueView value;
    bool is_escaped = false;
    const bool is_part = type == AttributeType::kN
                             ? TakeNumberPart(&key, &value)
                             : TakeTextPart(type, &key, arena_, &value, &is_escaped);
    if (!is_part) return Damaged("its key is damaged");
    const std::size_t most = i < schema_.hash.size() ? kMaxHashKeyBytes : kMaxRangeKeyBytes;
    if (value.size == 0 || value.size > most) return Damaged("its key is empty or too long");
    key_values_.push_back(value);
    is_escaped_.push_back(is_escaped);
  }
  if (!key.empty()) return Damaged("its key is longer than its parts");
  if (HashOfParts({key_values_.data(), 1}) != hash)
    return Damaged("its hash is not that of its key");
  return {};
}

Status StoredItemReader::ReadAttributes(std::string_view value) {
  CheckedReader reader(value);
  std::uint32_t count = 0;
  // Each attribute takes at least two bytes.
  if (!reader.ReadVarint(&count) || count > value.size() / 2) {
    return Damaged("its number of attributes is damaged");
  }
  attributes_.clear();
  for (; count > 0; --count) {
    Attribute attribute;
    if (!reader.ReadName(&attribute.name)) return Damaged("the name of an attribute is damaged");
    if (!reader.ReadValue(&attribute.value)) return Damaged("the value of an attribute is damaged");
    if (!attributes_.empty() && attribute.name <= attributes_.back().name) {
      return Damaged("its names do not ascend");
    }
    attributes_.push_back(attribute);
  }
  return reader.done() ? Status() : Damaged("it is longer than its attributes");
}

Status StoredItemReader::PlaceKeyAttribute(std::size_t part) {
  const std::string_view name = schema_.part(part).name;
  const auto place =
      std::lower_bound(attributes_.begin(), attributes_.end(), name,
                       [](const Attribute& a, std::string_view n) { return a.name < n; });
  const bool is_there = place != attributes_.end() && place->name == name;
  if (is_there != is_escaped_[part]) return Damaged("its key attributes are damaged");
  if (is_there) {
    return place->value == key_values_[part] ? Status() : Damaged("its key attributes are damaged");
  }
  attributes_.insert(place, {name, key_values_[part]});
  return {};
}

}  // namespace hashrange
