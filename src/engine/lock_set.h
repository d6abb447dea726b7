// LockSet: the partitions that one commit or read needs, locked together in lock order
// (partition.h) and unlocked together. A LockSet is used by one thread, on its stack.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>

#include "engine/partition.h"

namespace hashrange {

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
