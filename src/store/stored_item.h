// The stored form of an item, beside its key (store/files/store_keys.h):
//
//   number of attributes (varint) · attributes, as an Item packs them (value/item.h)
//
// The attributes that the key holds are not among them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "base/result.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

// Appends the stored form of the item.
void AppendStoredItem(const Item& item, std::string* out);

// StoredItemReader makes the items of one table from bytes of which nothing is known. An item that
// it returns is one that Item::Make has made of values that an operation may have accepted: key
// and attributes agree with the schema, names ascend, every value is canonical, and the item is
// not too large. Not thread-safe: each thread has its own reader.
class StoredItemReader {
 public:
  // `schema` outlives the reader.
  explicit StoredItemReader(const KeySchema& schema) : schema_(schema) {}

  // Returns the item that is stored under `hash` and `key` (the encoded key) as `value`.
  // Errors: InternalServerError; its message says what is wrong, as in "its names do not ascend".
  Result<ItemRef> Read(std::uint64_t hash, std::string_view key, std::string_view value);

 private:
  Status ReadKey(std::uint64_t hash, std::string_view key);
  Status ReadAttributes(std::string_view value);
  // Puts a key attribute among the others, or finds it there if it is escaped.
  Status PlaceKeyAttribute(std::size_t part);

  const KeySchema& schema_;
  Arena arena_;
  std::vector<ValueView> key_values_;
  std::vector<bool> is_escaped_;  // for each key part
  std::vector<Attribute> attributes_;
};

// Returns an item with its place, as stream records hold their images: hash (8, big-endian), length
// of the key (2, big-endian), key, stored form. Empty for null.
std::string EncodeImage(const Item* item);
// Returns null for no bytes.
// Errors: InternalServerError  the bytes are no item that the reader's table could have
Result<ItemRef> DecodeImage(std::string_view bytes, StoredItemReader& reader);

}  // namespace hashrange
