#include "value/item.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#include "base/memory/arena.h"
#include "base/memory/live_memory.h"
#include "base/text/short_text.h"
#include "platform/memory.h"
#include "value/key.h"
#include "value/value_writer.h"
#include "value/vector.h"

namespace hashrange {
namespace {

// The largest length that hash_part_bytes_ can hold. The longest HASH part takes 4,098 bytes: 2,048
// zero bytes, each escaped, and the terminator.
constexpr std::size_t kMaxEncodedHashPart = (1 << 13) - 1;

// With more attributes than this behind the key, a binary search is faster than a scan.
constexpr std::uint32_t kOffsetTableAbove = 16;

std::size_t OffsetTableBytes(std::uint32_t attributes) {
  return attributes > kOffsetTableAbove ? attributes * sizeof(std::uint32_t) : 0;
}

std::size_t PackedAttributeBytes(const Attribute& attribute) {
  const std::size_t name = attribute.name.size();
  return VarintBytes(static_cast<std::uint32_t>(name)) + name + PackedBytes(attribute.value);
}

char* WriteAttribute(const Attribute& attribute, char* out) {
  out = WriteVarint(static_cast<std::uint32_t>(attribute.name.size()), out);
  out = std::copy(attribute.name.begin(), attribute.name.end(), out);
  return WritePacked(attribute.value, out);
}

void SkipPacked(const char*& at) { ReadPacked(at); }

}  // namespace

// What the block of an item with given attributes will contain.
struct Item::Layout {
  std::array<std::size_t, kMaxTableKeyParts> keys = {};  // key part → index of its attribute
  // For each key part: the index of its attribute if the attribute is stored in the key only.
  std::array<std::size_t, kMaxTableKeyParts> only_in_key = {kNone, kNone};
  std::size_t parts = 0;
  std::size_t key_bytes = 0;
  std::size_t hash_part_bytes = 0;
  std::uint8_t escaped = 0;  // bit i: key part i is escaped
  std::uint32_t count = 0;   // attributes behind the key
  std::size_t attribute_bytes = 0;

  bool IsOnlyInKey(std::size_t attribute) const {
    return attribute == only_in_key[0] || attribute == only_in_key[1];
  }

  static Layout Compute(const KeySchema& schema, std::span<const Attribute> attributes);
  static constexpr std::size_t kNone = ~std::size_t{0};
};

Item::Layout Item::Layout::Compute(const KeySchema& schema, std::span<const Attribute> attributes) {
  Layout layout;
  layout.parts = schema.parts();
  assert(layout.parts >= 1 && layout.parts <= kMaxTableKeyParts);
  for (std::size_t i = 0; i < layout.parts; ++i) {
    const std::string_view name = schema.part(i).name;
    const auto found = std::lower_bound(
        attributes.begin(), attributes.end(), name,
        [](const Attribute& a, std::string_view n) { return TextLess(a.name, n); });
    assert(found != attributes.end() && found->name == name);
    layout.keys[i] = static_cast<std::size_t>(found - attributes.begin());
    layout.key_bytes += EncodedPartBytes(found->value);
    if (i == 0) layout.hash_part_bytes = layout.key_bytes;
    if (NeedsEscape(found->value)) {
      layout.escaped |= static_cast<std::uint8_t>(1 << i);
    } else {
      layout.only_in_key[i] = layout.keys[i];
    }
  }
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (layout.IsOnlyInKey(i)) continue;
    ++layout.count;
    layout.attribute_bytes += PackedAttributeBytes(attributes[i]);
  }
  return layout;
}

namespace {

// Calls `visit(name)` once for every name that `index` projects, but for the attribute of its
// vectors. The index's projection is not ALL.
template <typename Visit>
void ForEachProjectedName(const IndexSchema& index, const KeySchema& table, Visit&& visit) {
  for (std::size_t i = 0; i < table.parts(); ++i) visit(table.part(i).name);
  const auto visit_others = [&](const std::string& name, const auto&... before) {
    if (!table.Find(name) && !(before.Find(name) || ...)) visit(name);
  };
  for (std::size_t i = 0; i < index.key.parts(); ++i) visit_others(index.key.part(i).name);
  if (index.vector) {
    for (const KeyPart& filter : index.vector->filters) visit_others(filter.name, index.key);
  }
  if (index.projection != ProjectionType::kInclude) return;
  for (const std::string& name : index.non_key_attributes) {
    if (index.vector && (index.vector->FindFilter(name) || index.vector->attribute == name)) {
      continue;
    }
    visit_others(name, index.key);
  }
}

}  // namespace

std::size_t Item::memory_bytes() const { return AllocatedBytes(this); }

std::string_view Item::packed_attributes() const {
  const char* const offsets = payload() + key_bytes_;
  const char* const first = offsets + OffsetTableBytes(attribute_count_);
  const char* at = first;
  std::uint32_t left = attribute_count_;
  if (left > kOffsetTableAbove) {
    std::uint32_t last;
    std::memcpy(&last, offsets + (left - 1) * sizeof last, sizeof last);
    at += last;
    left = 1;
  }
  for (; left > 0; --left) {
    const std::uint32_t name_bytes = ReadVarint(at);
    at += name_bytes;
    SkipPacked(at);
  }
  return {first, static_cast<std::size_t>(at - first)};
}

Ref<const Item> Item::Make(const KeySchema& schema, std::span<const Attribute> attributes) {
  const Layout layout = Layout::Compute(schema, attributes);
  return Make(layout, attributes, HashOfParts({&attributes[layout.keys[0]].value, 1}));
}

Ref<const Item> Item::Make(const KeySchema& schema, std::span<const Attribute> attributes,
                           std::uint64_t hash) {
  return Make(Layout::Compute(schema, attributes), attributes, hash);
}

Ref<const Item> Item::Make(const Layout& layout, std::span<const Attribute> attributes,
                           std::uint64_t hash) {
  assert(layout.key_bytes <= std::numeric_limits<std::uint16_t>::max());
  assert(layout.hash_part_bytes <= kMaxEncodedHashPart);
  const std::size_t table_bytes = OffsetTableBytes(layout.count);
  const std::size_t payload_bytes = layout.key_bytes + table_bytes + layout.attribute_bytes;
  Item* const item =
      new (AllocateCounted(MemoryPart::kItems, sizeof(Item) + payload_bytes + kPadding)) Item();
  item->size_bytes_ = static_cast<std::uint32_t>(ItemSizeBytes(attributes));
  item->hash_ = hash;
  item->attribute_count_ = layout.count;
  item->key_bytes_ = static_cast<std::uint16_t>(layout.key_bytes);
  item->hash_part_bytes_ = layout.hash_part_bytes & kMaxEncodedHashPart;
  item->escaped_keys_ = layout.escaped & 3;

  char* out = reinterpret_cast<char*>(item + 1);
  for (std::size_t i = 0; i < layout.parts; ++i) {
    out = WriteEncodedPart(attributes[layout.keys[i]].value, out);
  }
  char* offset = out;
  out += table_bytes;
  const char* const first = out;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (layout.IsOnlyInKey(i)) continue;
    if (table_bytes != 0) {
      const auto from_first = static_cast<std::uint32_t>(out - first);
      std::memcpy(offset, &from_first, sizeof from_first);
      offset += sizeof from_first;
    }
    out = WriteAttribute(attributes[i], out);
  }
  std::memset(out, 0, kPadding);
  return Ref<const Item>::Adopt(item);
}

void Item::Release() const {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Item* const self = const_cast<Item*>(this);
  self->~Item();
  FreeCounted(MemoryPart::kItems, self);
}

const char* ItemView::attributes_begin() const {
  return item_->payload() + item_->key_bytes_ + OffsetTableBytes(item_->attribute_count_);
}

std::optional<ValueView> ItemView::Find(std::string_view name) const {
  if (!item_ || !IsVisible(name)) return std::nullopt;
  for (std::size_t i = 0; i < schema_->hash.size(); ++i) {
    if (SameText(schema_->hash[i].name, name)) return KeyValue(i);
  }
  for (std::size_t i = 0; i < schema_->range.size(); ++i) {
    if (SameText(schema_->range[i].name, name)) return KeyValue(schema_->hash.size() + i);
  }
  return FindStored(name);
}

std::optional<ValueView> ItemView::FindStored(std::string_view name) const {
  const std::uint32_t count = item_->attribute_count_;
  if (count > kOffsetTableAbove) return SearchStored(name);
  // The names ascend, so the scan may end early. Only first characters are compared for that. To
  // compare whole names would need a call where names share their beginning, as they often do.
  const int first = name.empty() ? -1 : static_cast<unsigned char>(name[0]);
  const char* at = attributes_begin();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view stored = ReadName(at);
    const int stored_first = stored.empty() ? -1 : static_cast<unsigned char>(stored[0]);
    if (stored_first > first) return std::nullopt;
    if (stored_first == first && SameText(stored, name)) return ReadPacked(at);
    SkipPacked(at);
  }
  return std::nullopt;
}

std::optional<ValueView> ItemView::SearchStored(std::string_view name) const {
  const char* const offsets = item_->payload() + item_->key_bytes_;
  const char* const first = attributes_begin();
  std::uint32_t low = 0;
  std::uint32_t high = item_->attribute_count_;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    std::uint32_t offset;
    std::memcpy(&offset, offsets + middle * sizeof offset, sizeof offset);
    const char* at = first + offset;
    const int order = ReadName(at).compare(name);
    if (order == 0) return ReadPacked(at);
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

ValueView ItemView::KeyValue(std::size_t part) const {
  if (is_escaped(part)) return *FindStored(schema_->part(part).name);
  const std::string_view key = item_->key();
  const std::size_t range_at = item_->hash_part_bytes_;
  return EncodedPartValue(part == 0 ? key.substr(0, range_at) : key.substr(range_at),
                          schema_->part(part).type);
}

std::size_t ItemView::attribute_count() const {
  if (!item_) return 0;
  return item_->attribute_count_ + schema_->parts() -
         static_cast<std::size_t>(std::popcount(item_->escaped_keys_));
}

std::span<Attribute> ItemView::Attributes(Arena& arena) const {
  if (!item_) return {};
  const std::span<Attribute> all = arena.NewArray<Attribute>(attribute_count());
  std::size_t count = 0;
  ForEach([&](const Attribute& attribute) { all[count++] = attribute; });
  // The other attributes ascend already: only the key attributes, in front, have to move.
  for (std::size_t i = schema_->parts(); i-- > 0;) {
    const Attribute key = all[i];
    std::size_t to = i;
    for (; to + 1 < count && TextLess(all[to + 1].name, key.name); ++to) all[to] = all[to + 1];
    all[to] = key;
  }
  return all.first(count);
}

bool ItemView::SameAttributes(ItemView other) const {
  if (item_->size_bytes() != other.item_->size_bytes() || item_->key() != other.item_->key() ||
      item_->attribute_count_ != other.item_->attribute_count_) {
    return false;
  }
  const char* at = attributes_begin();
  const char* other_at = other.attributes_begin();
  for (std::uint32_t i = 0; i < item_->attribute_count_; ++i) {
    const Attribute mine = ReadAttribute(at);
    const Attribute others = ReadAttribute(other_at);
    if (!SameText(mine.name, others.name) || mine.value != others.value) return false;
  }
  return true;
}

std::size_t ItemSizeBytes(std::span<const Attribute> attributes) {
  std::size_t size = 0;
  for (const Attribute& attribute : attributes) {
    size += attribute.name.size() + SizeBytes(attribute.value);
  }
  return size;
}

std::size_t ProjectedSizeBytes(const IndexSchema& index, ItemView item) {
  if (!item.exists()) return 0;
  // A view through the index does not show the vector.
  const ItemView whole(item.schema(), item.item());
  const auto size_of = [&](std::string_view name) {
    const auto value = whole.Find(name);
    return value ? name.size() + SizeBytes(*value) : 0;
  };
  std::size_t size = 0;
  if (index.projection == ProjectionType::kAll) {
    size = item.size_bytes();
    if (index.vector) size -= size_of(index.vector->attribute);
  } else {
    ForEachProjectedName(index, item.schema(),
                         [&](std::string_view name) { size += size_of(name); });
  }
  return index.vector ? size + VectorSizeBytes(*index.vector) : size;
}

std::size_t VisibleSizeBytes(ItemView item) {
  return item.index() ? ProjectedSizeBytes(*item.index(), item) : item.size_bytes();
}

bool SameProjection(const IndexSchema& index, ItemView a, ItemView b) {
  if (a.item() == b.item()) return true;
  if (!a.exists() || !b.exists()) return false;
  if (index.projection == ProjectionType::kAll) return a.SameAttributes(b);
  const auto is_same = [&](std::string_view name) { return a.Find(name) == b.Find(name); };
  bool same = !index.vector || is_same(index.vector->attribute);
  ForEachProjectedName(index, a.schema(),
                       [&](std::string_view name) { same = same && is_same(name); });
  return same;
}

}  // namespace hashrange
