// RangeReader walks an interval of a table or an index, partition after partition, in the
// order of positions or against it. Each partition is pinned when the walk reaches it,
// under its lock; what is then read is of that instant, and no lock is held.
//
// On the stack of one thread. The table version it was made of, and the bytes of its
// interval, outlive it. Letting it go frees what only its pin held on to, and locks nothing.
#pragma once

#include "engine/ordered_map_cursor.h"
#include "engine/partition.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

class RangeReader {
 public:
  // The next item in the direction of the walk, or null at the end. Valid until the
  // following call of Next; keep it with ItemRef::Share.
  // Cost: amortised O(1), a lock and a descent for each partition.
  const Item* Next();

 private:
  friend class Engine;

  // Which maps: those of the partitions, or of one of their local indexes.
  struct Source {
    const PartitionSet* partitions;
    int local_ordinal;  // −1: the partitions' own
    PositionOrder order;
  };

  RangeReader(const Source& source, const Interval& interval, bool forward);
  // False when there is no further partition.
  bool EnterPartition();

  Source source_;
  Interval interval_;
  bool forward_;
  int next_ = 0;  // the number of the partition to enter next
  int left_ = 0;  // how many there are still to enter
  MapCursor cursor_;
};

}  // namespace hashrange
