// Reclaimer frees the maps of dropped tables and indexes on a thread of its own when they are
// large: the thread that drops the last reference to a table of millions of items is in the
// middle of a request. It frees whole tables, too, when there are many of them. Once the process
// is idle, it returns the memory that it has freed to the system. Thread-safe.
#pragma once

#include <chrono>
#include <memory>

#include "base/work_queue.h"
#include "engine/map/ordered_map.h"
#include "engine/map/partition.h"

namespace hashrange {

// Returns about how much work it is to free the partitions, counted in items (CountToFree in
// ordered_map_node.h). Nobody uses the partitions any more. Stops counting at about `limit`.
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
  // These three are called by the queue's thread. PostMemoryReturn posts ReturnMemoryWhenIdle,
  // unless it is posted already.
  void PostMemoryReturn();
  WorkQueue::NextRun ReturnMemoryWhenIdle();
  // Returns whether the process has used almost no processor time since the last call.
  bool WasIdle();

  bool is_return_posted_ = false;               // ReturnMemoryWhenIdle is posted and not done
  std::chrono::nanoseconds processor_time_{0};  // at the last call of WasIdle
  WorkQueue queue_{{.name = "freeing dropped tables",
                    .at_end = WorkQueue::AtEnd::kFinish,
                    .is_low_priority = true}};
};

}  // namespace hashrange
