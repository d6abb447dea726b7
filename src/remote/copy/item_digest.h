// ItemDigest: the number of some items, and a digest of them that does not depend on their order:
// the sum of the 128-bit hashes of their canonical bytes. Items that are equal in DynamoDB's sense
// (the number 1.0 and the number 1, sets in any order) have equal bytes, whichever endpoint gave
// them. Not for secrets. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "value/attribute_value.h"

namespace hashrange {

class ItemDigest {
 public:
  ItemDigest() = default;
  ItemDigest(std::int64_t items, std::uint64_t high, std::uint64_t low)
      : items_(items), high_(high), low_(low) {}

  // Adds an item; its attributes ascend by name.
  void AddItem(std::span<const Attribute> attributes);
  void Add(const ItemDigest& other);

  std::int64_t items() const { return items_; }
  // Returns the sum as 32 hexadecimal digits.
  std::string Text() const;

  friend bool operator==(const ItemDigest&, const ItemDigest&) = default;

 private:
  void AddSum(std::uint64_t high, std::uint64_t low);

  std::int64_t items_ = 0;
  std::uint64_t high_ = 0;  // of the sum
  std::uint64_t low_ = 0;
};

// Returns the digest of `items` items with this sum; nullopt where the text is not what
// ItemDigest::Text returns.
std::optional<ItemDigest> ParseItemDigest(std::int64_t items, std::string_view text);

}  // namespace hashrange
