// RangeReader walks an interval of a table or an index, partition after partition, in
// ascending or descending order of positions. Each partition is pinned under its lock when the walk
// reaches it, and is then read as of that instant, with no lock held.
//
// A reader is used by one thread, on its stack. The table version that the reader was made from,
// and the bytes of the interval, outlive the reader. The destructor frees the nodes and items that
// only the pinned map still refers to, and locks nothing.
#pragma once

#include "engine/map/ordered_map.h"
#include "engine/map/partition.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

class RangeReader {
 public:
  // Returns the next item in the direction of the walk, or null at the end. The item is valid until
  // the following call of Next; keep it longer with ItemRef::Share.
  // Cost: amortised O(1), a lock and a descent for each partition.
  const Item* Next();

 private:
  friend class Engine;

  // Which maps to read: the maps of the partitions themselves, or of one of their local indexes.
  struct Source {
    const PartitionSet* partitions;
    int local_ordinal;  // −1: the partitions' own maps
    PositionOrder order;
  };

  RangeReader(const Source& source, const Interval& interval, bool forward);
  // Returns false when there is no further partition.
  bool EnterPartition();

  Source source_;
  Interval interval_;
  bool forward_;
  int next_ = 0;  // the number of the partition to enter next
  int left_ = 0;  // how many partitions are still to enter
  MapCursor cursor_;
};

}  // namespace hashrange
