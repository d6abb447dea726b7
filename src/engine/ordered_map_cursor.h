// MapCursor walks an interval of a pinned map, forward or backward. It keeps the pinned root, so
// that the map stays as it was, and needs no lock. Not thread-safe.
#pragma once

#include "engine/ordered_map.h"
#include "engine/position_order.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

class MapCursor {
 public:
  // A cursor that is at its end.
  MapCursor() = default;
  // A cursor at the beginning of `interval` or, backward, at its end. The interval's bytes outlive
  // the cursor.
  MapCursor(MapRoot root, const PositionOrder& order, const Interval& interval, bool forward);

  // Returns the next item in the direction of the walk, or null at the end. The item lives as long
  // as the cursor. Cost: amortised O(1).
  const Item* Next();

 private:
  struct Step {
    const MapInner* node;
    int index;  // of the child on the path
  };

  void Start();
  // Moves to the neighbouring leaf. Returns false when the walk is over.
  bool AdvanceLeaf();
  void FindLimit();

  MapRoot root_;
  PositionOrder order_;
  Interval interval_;
  bool forward_ = true;
  bool is_last_ = true;  // the interval does not reach beyond this leaf
  const MapLeaf* leaf_ = nullptr;
  int index_ = 0;  // forward: the next slot; backward: the slot behind the next one
  int limit_ = 0;  // the value of `index_` at which the walk leaves the leaf
  int depth_ = 0;
  Step steps_[kMaxMapHeight];
};

}  // namespace hashrange
