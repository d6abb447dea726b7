// JournalQueue: the changes that wait for the journal's thread. Threads that hold locks of tables
// append to it; that takes one short mutex, which also decides the order of the log.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <span>
#include <vector>

#include "base/durability.h"
#include "base/memory_reserve.h"
#include "store/record_value.h"
#include "store/store_keys.h"
#include "value/item.h"

namespace hashrange {

// An item that is stored from now on, or is not stored any more; its hash and key say where.
struct JournalItem {
  std::uint64_t table_id = 0;
  ItemRef item;
  bool is_removed = false;
};

// A record that is stored from now on, or with an empty value is not stored any more.
struct JournalRecord {
  StoreKey key;
  RecordValue value;
  std::size_t kept_bytes = 0;  // about what the value keeps in memory outside of itself
};

// The changes of one call of Append, which belong together.
struct JournalGroup {
  template <typename T>
  using Changes = std::vector<T, ReservedAllocator<T, MemoryPart::kJournal>>;

  Changes<JournalItem> items;
  Changes<JournalRecord> records;
  Durability::Position position = 0;  // behind the group
  std::size_t size_bytes = 0;         // about how many bytes the group keeps in memory
};

// What waits for the journal's thread, in the order in which it was appended.
struct QueuedWork {
  template <typename T>
  using List = std::list<T, ReservedAllocator<T, MemoryPart::kJournal>>;

  List<JournalGroup> groups;
  List<StoreKeyRange> removals;
  std::size_t size_bytes = 0;  // the sum of all groups

  bool empty() const { return groups.empty() && removals.empty(); }
};

// Thread-safe.
class JournalQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Takes what the changes refer to, as one group, and returns the position behind it. Without
  // changes, returns appended(). Takes memory for no more than a copy of the changes, from the
  // thread's reserve if there is no other (base/memory_reserve.h).
  Durability::Position Append(std::span<JournalItem> items,
                              std::span<JournalRecord> records) noexcept;
  Durability::Position appended() const { return appended_.load(std::memory_order_acquire); }

  // Asks for the removal of everything in a range. Memory: as Append.
  void AddRemoval(const StoreKeyRange& range) noexcept;
  // Makes the next WaitUntil return.
  void Wake();

  // Waits until there are changes or removals, Wake was called, or the time has come.
  void WaitUntil(Time time);
  // Moves everything that waits to the end of `*work`.
  void MoveTo(QueuedWork* work);

  // About how many bytes wait in the queue.
  std::size_t size_bytes() const { return size_bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Durability::Position> appended_{0};  // written with `mutex_` held
  std::atomic<std::size_t> size_bytes_{0};         // written with `mutex_` held
  std::mutex mutex_;                               // guards what follows
  std::condition_variable wake_;
  bool is_woken_ = false;
  bool is_waiting_ = false;  // the journal's thread waits
  QueuedWork work_;
};

}  // namespace hashrange
