// Reclaimer frees the maps of dropped tables and indexes on a thread of its own when they are
// large: the thread that drops the last reference to a table of millions of items is in the
// middle of a request. It frees whole tables, too, when there are many of them. Once the process
// is idle, it returns the memory that it has freed to the system. Thread-safe.
#pragma once

#include <chrono>
#include <memory>

#include "base/work_queue.h"
#include "engine/ordered_map.h"
#include "engine/partition.h"

namespace hashrange {

// Returns how many items and nodes are freed with the partitions, which nobody uses any more. Stops
// counting at about `limit`.
int CountToFree(const PartitionSet& partitions, int limit);

// The destructor of a Reclaimer returns when everything is freed.
class Reclaimer {
 public:
  // Empties `partitions`, which nobody uses any more, if they have many items; the reclaimer's
  // thread frees the items soon. Does nothing if there are few: the owner of the partitions frees
  // these.
  void Free(PartitionSet& partitions);

  // Drops the reference soon, on the reclaimer's thread.
  void Discard(std::shared_ptr<const void> garbage);

 private:
  // Returns false, and frees the garbage, when the queue refuses it.
  template <typename Garbage>
  bool Post(Garbage garbage);
  // These three are called by the queue's thread.
  void OweMemory();
  WorkQueue::NextRun ReturnMemoryWhenIdle();
  // Whether the process has done next to nothing since the last call.
  bool WasIdle();

  bool owes_memory_ = false;                    // a work waits that returns memory to the system
  std::chrono::nanoseconds processor_time_{0};  // at the last call of WasIdle
  WorkQueue queue_{{.name = "freeing dropped tables",
                    .at_end = WorkQueue::AtEnd::kFinish,
                    .is_low_priority = true}};
};

}  // namespace hashrange
