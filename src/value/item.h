// Item: one immutable, reference-counted block of memory. Every index entry, change record,
// snapshot and answer shares it. Any thread may read an item that it holds a reference to.
//
//   header · encoded key · [offset table] · attributes
//
//   encoded key    the table's key attributes (value/key.h)
//   offset table   only if more than 16 attributes follow: the distance of each attribute from the
//                  first attribute, in bytes, as a uint32, for a binary search by name
//   attributes     the others, ascending by name: name length (varint), name, packed value
//
// The names of the key attributes are not in the block: an ItemView pairs the block
// with its table's KeySchema. A key attribute whose encoding had to be escaped (it
// holds a zero byte) is also kept among the attributes, so that a view can point to it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/memory/ref_counted.h"
#include "value/attribute_value.h"
#include "value/schema.h"

namespace hashrange {

class Arena;

inline constexpr std::size_t kMaxItemSizeBytes = 409600;

class Item {
 public:
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;

  // Returns the item of `attributes`, which ascend by name without repeats and contain every
  // key attribute of `schema`, of the declared type, not empty and no longer than a key may be
  // (the operation has checked that).
  // Cost: one allocation.
  static Ref<const Item> Make(const KeySchema& schema, std::span<const Attribute> attributes);
  // The same for a caller that knows the hash of the partition key already; computing the hash
  // takes most of the time.
  static Ref<const Item> Make(const KeySchema& schema, std::span<const Attribute> attributes,
                              std::uint64_t hash);

  // The number of zero bytes behind a block's last byte. A caller may copy the block's texts in
  // steps of that size, without a smaller last step.
  static constexpr std::size_t kPadding = 16;

  // Returns how many bytes of the program's memory the block takes, the allocator's part included.
  std::size_t memory_bytes() const;
  // The item's size in DynamoDB.
  std::uint32_t size_bytes() const { return size_bytes_; }
  // The hash of the partition key (value/key.h).
  std::uint64_t hash() const { return hash_; }
  // The encoded key: HASH part, then RANGE part.
  std::string_view key() const { return {payload(), key_bytes_}; }
  // The attributes behind the key, as they are packed in the block, and their number. The bytes and
  // the key are all that has to be stored of an item. Cost: a step for each of up to 16 attributes.
  std::string_view packed_attributes() const;
  std::uint32_t packed_attribute_count() const { return attribute_count_; }

  // Starts to fetch the block's cache lines behind the first one, all at once, for a caller that
  // is going to read all of the block. Of a large block only the first lines are fetched: the
  // processor predicts the rest.
  void Prefetch() const {
    constexpr std::size_t kLine = 64;
    const std::size_t bytes = size_bytes_ < 8 * kLine ? size_bytes_ : 8 * kLine;
    const char* const block = reinterpret_cast<const char*>(this);
    for (std::size_t at = kLine; at <= bytes; at += kLine) __builtin_prefetch(block + at);
  }

  void AddRef() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release() const;

 private:
  friend class ItemView;
  struct Layout;

  Item() = default;
  static Ref<const Item> Make(const Layout& layout, std::span<const Attribute> attributes,
                              std::uint64_t hash);
  const char* payload() const { return reinterpret_cast<const char*>(this + 1); }

  mutable std::atomic<std::uint32_t> references_{1};
  std::uint32_t size_bytes_ = 0;
  std::uint64_t hash_ = 0;
  std::uint32_t attribute_count_ = 0;       // of the attributes behind the key
  std::uint16_t key_bytes_ = 0;             // the length of the encoded key
  std::uint16_t hash_part_bytes_ : 13 = 0;  // the length of its HASH part
  std::uint16_t escaped_keys_ : 2 = 0;      // bit i: key part i is kept among the attributes
};

using ItemRef = Ref<const Item>;

// An item and the key schema of its table. An empty view (no block) stands for an item that
// does not exist: it has no attributes. A view through an index shows only the attributes that
// the index projects.
class ItemView {
 public:
  ItemView() = default;
  // `index`: the index that the item is read through; null: all attributes are visible.
  ItemView(const KeySchema& schema, const Item* item, const IndexSchema* index = nullptr)
      : schema_(&schema), item_(item), index_(index) {}

  bool exists() const { return item_ != nullptr; }
  const Item* item() const { return item_; }
  const KeySchema& schema() const { return *schema_; }
  const IndexSchema* index() const { return index_; }  // null: all attributes are visible
  std::size_t size_bytes() const { return item_ ? item_->size_bytes() : 0; }

  // Returns the attribute of that name, or none.
  // Cost: no allocation; a scan, or a binary search with more than 16 attributes.
  std::optional<ValueView> Find(std::string_view name) const;
  // Returns the value of the table's i-th key part (HASH first).
  ValueView KeyValue(std::size_t part) const;

  std::size_t attribute_count() const;  // of the whole item, keys included
  // Calls `visit(Attribute)` for every attribute: first the keys in the order of the schema, then
  // the others ascending by name.
  template <typename Visit>
  void ForEach(Visit&& visit) const;
  // Returns all attributes ascending by name, as Item::Make takes them. The array is in the arena.
  std::span<Attribute> Attributes(Arena& arena) const;

  // Returns whether both items have the same attributes and values. Both exist.
  bool SameAttributes(ItemView other) const;

 private:
  std::optional<ValueView> FindStored(std::string_view name) const;
  std::optional<ValueView> SearchStored(std::string_view name) const;
  const char* attributes_begin() const;
  bool is_escaped(std::size_t part) const { return (item_->escaped_keys_ >> part) & 1; }
  // Reads a name and moves `at` to the packed value behind it.
  static std::string_view ReadName(const char*& at) {
    const std::uint32_t size = ReadVarint(at);
    const std::string_view name(at, size);
    at += size;
    return name;
  }
  static Attribute ReadAttribute(const char*& at) {
    const std::string_view name = ReadName(at);
    return {name, ReadPacked(at)};
  }

  bool IsVisible(std::string_view name) const {
    return !index_ || index_->Projects(*schema_, name);
  }

  const KeySchema* schema_ = nullptr;
  const Item* item_ = nullptr;
  const IndexSchema* index_ = nullptr;
};

template <typename Visit>
void ItemView::ForEach(Visit&& visit) const {
  if (!item_) return;
  for (std::size_t i = 0; i < schema_->parts(); ++i) {
    visit(Attribute{schema_->part(i).name, KeyValue(i)});
  }
  const char* at = attributes_begin();
  for (std::uint32_t i = 0; i < item_->attribute_count_; ++i) {
    const Attribute attribute = ReadAttribute(at);
    if (item_->escaped_keys_ != 0 && schema_->Find(attribute.name)) continue;
    if (IsVisible(attribute.name)) visit(attribute);
  }
}

// Returns the size of an item with these attributes.
std::size_t ItemSizeBytes(std::span<const Attribute> attributes);
// Returns the size of the item's entry in `index`: the keys of table and index, and the other
// attributes that the index projects. An entry of a vector index also has the vector, as
// VectorSizeBytes counts it (value/vector.h).
std::size_t ProjectedSizeBytes(const IndexSchema& index, ItemView item);
// Returns the size of the attributes that the view shows: of all of them, or of those that its
// index projects.
std::size_t VisibleSizeBytes(ItemView item);
// Returns whether the entries of both items in `index` would have the same attributes and values.
bool SameProjection(const IndexSchema& index, ItemView a, ItemView b);

}  // namespace hashrange
