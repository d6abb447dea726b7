// Reclaimer frees the maps of dropped tables and indexes on a thread of its own, when they
// are large: whoever lets the last reference to a table of millions of items go is in the
// middle of a request. Or, when there are many of them, the tables themselves. Once the process
// is idle, the memory that it has freed goes back to the system. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/ordered_map.h"
#include "engine/partition.h"

namespace hashrange {

// How many items and nodes go with the partitions; at most about `limit`. Nobody uses them.
int CountToFree(const PartitionSet& partitions, int limit);

class Reclaimer {
 public:
  Reclaimer() = default;
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;
  ~Reclaimer();  // when all is freed

  // Frees what is in `partitions`, which nobody uses any more: at once when it is little,
  // soon otherwise.
  void Free(PartitionSet& partitions);

  // Lets go of `garbage` soon.
  void Discard(std::shared_ptr<const void> garbage);

 private:
  // With `mutex_` held. Errors: throws what std::thread does.
  void StartThread();
  void Run();
  // With `lock` held. Waits until there is something to free, and returns memory meanwhile. False
  // when there is nothing more to come.
  bool WaitForWork(std::unique_lock<std::mutex>& lock);
  // Whether the process has done next to nothing since the last call.
  bool WasIdle();

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::vector<MapRoot> waiting_;
  std::vector<std::shared_ptr<const void>> discarded_;
  bool stopping_ = false;
  bool owes_memory_ = false;  // something was freed since memory was last returned
  std::chrono::nanoseconds processor_time_{0};  // at the last call of WasIdle
  std::thread thread_;                          // started by the first of them
};

}  // namespace hashrange
