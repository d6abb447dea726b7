// MapBuilder makes an ordered map of slots that arrive in order. All its leaves and inner nodes are
// full, except those at the right edge. Not thread-safe.
#pragma once

#include <vector>

#include "absl/container/inlined_vector.h"
#include "engine/map/ordered_map.h"
#include "engine/map/ordered_map_node.h"

namespace hashrange {

class MapBuilder {
 public:
  explicit MapBuilder(const PositionOrder& order) : order_(order) {}
  ~MapBuilder();
  MapBuilder(const MapBuilder&) = delete;
  MapBuilder& operator=(const MapBuilder&) = delete;

  // Adds a slot, whose position is above the positions of all slots before it, and takes over the
  // caller's reference to the slot's item. Errors: throws std::bad_alloc, and nothing was changed
  // Cost: an allocation for every kLeafSlots slots, and one more if the last and the first item of
  // two leaves have the same hash.
  void Append(Slot slot);

  // Returns the map and leaves the builder empty. Running out of memory ends the process.
  MapRoot Finish() noexcept;

 private:
  void EndLeaf();
  // Puts the nodes under parents of that height.
  void AddLevel(int height);

  const PositionOrder order_;
  absl::InlinedVector<Slot, kLeafSlots> last_;  // the slots of the leaf that is not made yet
  std::vector<MapNode*> nodes_;                 // the nodes of one level, each with one reference
  std::vector<Separator> separators_;           // separators_[i]: between nodes i and i + 1
};

}  // namespace hashrange
