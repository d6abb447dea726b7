// ExpirySet: the items of one table that have a time to live, ordered by that time. The
// versions of the table refer to the set (TableSettings::expiries), so that a commit finds it
// without a look-up. The set belongs to one enabling of time to live: enabling it on another
// attribute, or on a new table of the same name, makes a new set.
//
//   shard (16, by the top bits of the hash, as a table's partitions)
//     └─ (time, item) ascending
//
// Invariant: once it is filled, the set holds exactly the stored items whose attribute is a
// time (ExpiryEpochMs), each item once, as the same block that the table holds. The log updates the
// set inside every commit (Update), and commits that change nothing fill it (Insert). Both run
// while the item's partition is locked, so that the set agrees with the table. The memory of the
// entries comes from the thread's reserve when the allocator has none.
//
// Cost: about 23 bytes for each item in the set, and two more descents for each changed item.
//
// Thread-safe. A shard's lock is the innermost in the lock order, held for two descents at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "base/memory/memory_reserve.h"
#include "base/threads.h"
#include "engine/change_log.h"
#include "value/attribute_value.h"
#include "value/item.h"

namespace hashrange {

// Returns when an item expires whose time-to-live attribute is `value`
// (docs/service/12-streams-and-ttl.md, section C2): the time in `value`, a number of seconds since
// 1970 with or without a fraction, rounded down to milliseconds. Returns none for a value with
// which an item never expires: it is no number, or its time is before 1970 or far beyond the end of
// any clock.
std::optional<std::int64_t> ExpiryEpochMs(const ValueView& value);

// A time further in the past than this is taken for a mistake, and the item stays.
inline constexpr std::int64_t kLongestPastMs = 5LL * 365 * 24 * 60 * 60 * 1000;

// Returns whether an item with that time must be deleted: the time is in the past, but not by more
// than kLongestPastMs.
inline bool IsDue(std::int64_t expires_epoch_ms, std::int64_t now_epoch_ms) {
  return expires_epoch_ms < now_epoch_ms && expires_epoch_ms >= now_epoch_ms - kLongestPastMs;
}

class ExpirySet {
 public:
  static constexpr int kShards = 16;

  explicit ExpirySet(std::string attribute) : attribute_(std::move(attribute)) {}

  const std::string& attribute() const { return attribute_; }
  // Returns when the item expires, or none when it never expires.
  std::optional<std::int64_t> ExpiryOf(ItemView item) const;

  // Follows a change of the table. Called inside the change's commit.
  void Update(const Change& change);
  // Inserts a stored item, if it expires. Called inside a commit that keeps the item, or while its
  // table is prepared. Idempotent.
  // Errors: throws std::bad_alloc
  void Insert(ItemView item);

  // Returns the first items of a shard that are due at `now_epoch_ms`, at most `limit`.
  std::vector<ItemRef> Due(int shard, std::int64_t now_epoch_ms, std::size_t limit) const;
  // Returns the number of items in the set.
  std::size_t size() const;

 private:
  // Entries with the same time are ordered by the addresses of their items' blocks: the block of a
  // stored item never changes.
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
    static std::pair<std::int64_t, std::uintptr_t> ToPair(const Entry& entry) {
      return {entry.epoch_ms, reinterpret_cast<std::uintptr_t>(entry.item.get())};
    }
    static std::pair<std::int64_t, std::uintptr_t> ToPair(const Place& place) {
      return {place.epoch_ms, reinterpret_cast<std::uintptr_t>(place.item)};
    }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return ToPair(a) < ToPair(b);
    }
  };
  struct alignas(64) Shard {
    mutable Mutex mutex;
    absl::btree_set<Entry, Order, ReservedAllocator<Entry, MemoryPart::kExpiries>> entries;
  };

  Shard& ShardOf(const Item& item) { return shards_[item.hash() >> 60]; }

  const std::string attribute_;
  std::array<Shard, kShards> shards_;
};

// Gives a version that is not published yet, and what it becomes, an empty set if their items
// expire. Returns the set of `version`; null: its items do not expire.
std::shared_ptr<ExpirySet> AttachExpirySet(TableVersion* version);

}  // namespace hashrange
