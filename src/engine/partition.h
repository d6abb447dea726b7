// Partition: one of the 16 parts of a table or of a global index, by the top bits of the
// hash. Made at its first write; from then on it stays where it is as long as its owner.
//
// Lock order: any base partitions by (table id, number), then any index partitions by
// (table id, index id, number). Who holds an index partition asks for no base partition.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/ordered_map.h"
#include "engine/position_order.h"

namespace hashrange {

// A map and what it holds, in DynamoDB's sizes.
struct CountedMap {
  explicit CountedMap(const PositionOrder& order) : map(order) {}

  OrderedMap map;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

// `mutex` guards everything else.
struct alignas(64) Partition {
  explicit Partition(const PositionOrder& order) : items(order) {}

  mutable std::mutex mutex;
  CountedMap items;
  std::vector<CountedMap> local_indexes;  // of a table's: in the order of their ordinals
};

// The partitions of one owner. Thread-safe.
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

  // The partition, or null when it was never written to.
  Partition* Find(int number) const { return slots_[number].load(std::memory_order_acquire); }

  // Calls `visit(Partition&)` for those that are there.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const auto& slot : slots_) {
      if (Partition* partition = slot.load(std::memory_order_acquire)) visit(*partition);
    }
  }

  // Puts a partition where none was. Returns the one that is there, which is another
  // one when somebody was faster; then `made` is freed.
  Partition* Publish(int number, std::unique_ptr<Partition> made) {
    Partition* there = nullptr;
    const bool first = slots_[number].compare_exchange_strong(
        there, made.get(), std::memory_order_acq_rel, std::memory_order_acquire);
    return first ? made.release() : there;
  }

 private:
  std::array<std::atomic<Partition*>, kPartitions> slots_ = {};
};

}  // namespace hashrange
