// CollectionWalk: the item collections of a table or an index in the order of their hashes, in
// which a Scan reads them. A walk may begin at any hash.
//
//   begin ──▶ first item of a collection, next items, … ──▶ first item of the next collection
//                                       └ after kMaxCounted items: one descent to its end
//
// A collection with at most kMaxCounted items is read to its end, and the walk goes on from there.
// Each partition is read as of the instant when the walk, or a descent, reaches it, and no lock is
// held (RangeReader). Used by one thread, on its stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "engine/engine.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// Returns the encodings of the HASH parts of an item's position (value/key.h) in its table, whose
// key is `key`, or in an index with the key `key`, to which the item belongs. The result is a view
// of the item or of the arena. Collections in the order of these bytes are in DynamoDB's order of
// the HASH values.
std::string_view EncodedHashParts(const KeySchema& key, bool is_of_index, ItemView item,
                                  Arena& arena);

struct Collection {
  std::uint64_t hash = 0;
  std::string hash_parts;  // EncodedHashParts of each of its items
  std::size_t items = 0;   // at most CollectionWalk::kMaxCounted
  bool has_more_items = false;
};

class CollectionWalk {
 public:
  static constexpr std::size_t kMaxCounted = 1000;

  // `index`: null: the table itself; not a vector index. `begin`: where the walk begins; its bytes
  // are copied. The engine, the table and the index outlive the walk.
  CollectionWalk(const Engine& engine, const TableVersion& table, const IndexVersion* index,
                 const Position& begin);
  CollectionWalk(const CollectionWalk&) = delete;
  CollectionWalk& operator=(const CollectionWalk&) = delete;

  // Returns whether a further collection follows.
  bool HasNext() const { return first_ != nullptr; }
  // Returns the next collection. Call it only when HasNext returns true.
  // Cost: O(kMaxCounted), and at most one descent.
  Collection Next();

 private:
  const KeySchema& key() const { return index_ ? index_->schema.key : table_.key; }
  // Reads from this position on.
  void Seek(std::uint64_t hash, std::string_view bytes);

  const Engine& engine_;
  const TableVersion& table_;
  const IndexVersion* const index_;
  std::string begin_;  // the bytes of the position where the reader began
  std::optional<RangeReader> reader_;
  const Item* first_ = nullptr;  // the first item of the next collection; null: there is none
  Arena arena_{4 << 10};
};

}  // namespace hashrange
