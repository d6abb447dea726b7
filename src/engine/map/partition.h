// Partition: one of the 16 parts of a table or of a global index, by the top bits of the
// hash. It is created at its first write and then lives, at one address, as long as its owner.
//
// Lock order: first partitions of tables by (table id, number), then partitions of indexes by
// (table id, index id, number). Whoever holds a partition of an index locks no partition of a
// table. A table's partition is created under Table::making_, before any partition is locked.
// The locks of observers of commits (change_log.h) are taken last, while the partitions are held.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <vector>

#include "base/memory/live_memory.h"
#include "base/threads.h"
#include "engine/map/ordered_map.h"
#include "engine/map/ordered_map_node.h"
#include "engine/map/vector_map.h"

namespace hashrange {

// A map with the number and the DynamoDB size of its items.
struct CountedMap {
  explicit CountedMap(const PositionOrder& order) : map(order) {}

  OrderedMap map;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

// `mutex` guards all other members.
struct alignas(64) Partition {
  explicit Partition(const PositionOrder& order) : items(order) {}

  static void* operator new(std::size_t bytes, std::align_val_t align) {
    void* const block = ::operator new(bytes, align);
    CountMemory(MemoryPart::kTables, static_cast<std::int64_t>(bytes));
    return block;
  }
  static void operator delete(void* block, std::size_t bytes, std::align_val_t align) {
    CountMemory(MemoryPart::kTables, -static_cast<std::int64_t>(bytes));
    ::operator delete(block, align);
  }

  mutable Mutex mutex;
  CountedMap items;
  std::vector<CountedMap> local_indexes;    // in the order of their ordinals; empty for an index
  std::unique_ptr<CountedVectors> vectors;  // of a vector index, which has no items; else null
};

// The partitions of one table or global index. Thread-safe.
class PartitionSet {
 public:
  static constexpr int kPartitions = 16;
  static int NumberOf(std::uint64_t hash) { return static_cast<int>(hash >> 60); }

  PartitionSet() = default;
  PartitionSet(const PartitionSet&) = delete;
  PartitionSet& operator=(const PartitionSet&) = delete;
  ~PartitionSet() {
    ForEach([](Partition& partition) { delete &partition; });
  }

  // Returns the partition, or null when it was never written to.
  Partition* Find(int number) const { return slots_[number].load(std::memory_order_acquire); }

  // Calls `visit(Partition&)` for the partitions that exist.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const auto& slot : slots_) {
      if (Partition* partition = slot.load(std::memory_order_acquire)) visit(*partition);
    }
  }

  // Stores a partition if none exists under the number. Returns the partition of that number: when
  // another thread was faster, it is that thread's, and `made` is freed.
  Partition* Publish(int number, std::unique_ptr<Partition> made) {
    Partition* there = nullptr;
    const bool first = slots_[number].compare_exchange_strong(
        there, made.get(), std::memory_order_acq_rel, std::memory_order_acquire);
    return first ? made.release() : there;
  }

 private:
  std::array<std::atomic<Partition*>, kPartitions> slots_ = {};
};

// A partition and its place in the lock order.
struct PartitionLock {
  std::uint64_t table_id = 0;
  std::uint32_t index_id = 0;  // 0: a partition of the table itself
  int number = 0;
  Partition* partition = nullptr;

  friend bool operator<(const PartitionLock& a, const PartitionLock& b) {
    return std::tie(a.table_id, a.index_id, a.number) < std::tie(b.table_id, b.index_id, b.number);
  }
};

// LockSet: the partitions that one commit or read needs, locked together in lock order and unlocked
// together. A LockSet is used by one thread, on its stack.
class LockSet {
 public:
  LockSet() = default;
  LockSet(const LockSet&) = delete;
  LockSet& operator=(const LockSet&) = delete;
  ~LockSet() { Unlock(); }

  // Sorts `partitions`, drops repeats, and locks the rest. Call it only while the set holds no
  // lock. The span's memory outlives the locks.
  void Lock(std::span<PartitionLock> partitions);
  void Unlock();

 private:
  std::span<PartitionLock> locked_;
};

}  // namespace hashrange
