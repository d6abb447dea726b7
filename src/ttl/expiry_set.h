// ExpirySet: the items of one table that have a time to live, by that time. It hangs on the
// versions of its table (TableSettings::expiries), so that a commit finds it without a
// look-up, and it begins and ends with the version that says so: enabling time to live on
// another attribute, or on a new table of the same name, is another set.
//
//   shard (16, by the top bits of the hash, as a table's partitions)
//     └─ (time, item) ascending
//
// Invariant: once it is filled, the set holds exactly the stored items whose attribute is a
// time (expiry.h), each once, as the block that the table holds. It is kept by the log
// (Update), inside every commit, and filled by commits that change nothing (Insert): both run
// with the item's partition locked, so that they see and leave one state.
//
// Cost: about 23 bytes for each item it holds; a changed one takes two descents more.
//
// Thread-safe. A shard's lock is innermost and held for one descent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "engine/change_log.h"
#include "value/item.h"

namespace hashrange {

class ExpirySet {
 public:
  static constexpr int kShards = 16;

  explicit ExpirySet(std::string attribute) : attribute_(std::move(attribute)) {}

  const std::string& attribute() const { return attribute_; }
  // When the item expires, if ever.
  std::optional<std::int64_t> ExpiryOf(ItemView item) const;

  // A change of the table, from inside its commit.
  void Update(const Change& change);
  // The item as it is stored, from inside a commit that keeps it. Again is no difference.
  void Insert(ItemView item);

  // The first items of a shard that are due at `now_epoch_ms`, at most `limit`.
  std::vector<ItemRef> Due(int shard, std::int64_t now_epoch_ms, std::size_t limit) const;
  // How many items it holds.
  std::size_t size() const;

 private:
  // Items of one time are told apart by their block: the one of a stored item never changes.
  struct Entry {
    std::int64_t epoch_ms;
    ItemRef item;
  };
  struct Place {
    std::int64_t epoch_ms;
    const Item* item;
  };
  struct Order {
    using is_transparent = void;
    static std::pair<std::int64_t, std::uintptr_t> Of(const Entry& entry) {
      return {entry.epoch_ms, reinterpret_cast<std::uintptr_t>(entry.item.get())};
    }
    static std::pair<std::int64_t, std::uintptr_t> Of(const Place& place) {
      return {place.epoch_ms, reinterpret_cast<std::uintptr_t>(place.item)};
    }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return Of(a) < Of(b);
    }
  };
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    absl::btree_set<Entry, Order> entries;
  };

  Shard& ShardOf(const Item& item) { return shards_[item.hash() >> 60]; }

  const std::string attribute_;
  std::array<Shard, kShards> shards_;
};

}  // namespace hashrange
