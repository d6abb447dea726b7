// Reclaimer frees the maps of dropped tables and indexes on a thread of its own when they are
// large: the thread that drops the last reference to a table of millions of items is in the
// middle of a request. It frees whole tables, too, when there are many of them. Once the process
// is idle, it returns the memory that it has freed to the system. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "base/work_queue.h"
#include "engine/ordered_map.h"
#include "engine/partition.h"

namespace hashrange {

// How many items and nodes are freed with the partitions; at most about `limit`. Nobody uses the
// partitions.
int CountToFree(const PartitionSet& partitions, int limit);

// Its destructor returns when everything is freed.
class Reclaimer {
 public:
  // Frees what is in `partitions`, which nobody uses any more, soon if there is much of it. Leaves
  // the little to the owner of the partitions.
  void Free(PartitionSet& partitions);

  // Drops the reference soon.
  void Discard(std::shared_ptr<const void> garbage);

 private:
  template <typename Garbage>
  void Post(Garbage garbage);
  WorkQueue::Again ReturnMemoryWhenIdle();
  // Whether the process has done next to nothing since the last call.
  bool WasIdle();

  std::atomic<bool> owes_memory_{false};        // a work waits that returns memory to the system
  std::chrono::nanoseconds processor_time_{0};  // at the last call of WasIdle
  WorkQueue queue_{{.name = "freeing dropped tables",
                    .at_end = WorkQueue::AtEnd::kFinish,
                    .is_low_priority = true}};
};

}  // namespace hashrange
