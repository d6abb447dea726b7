// OrderedMap: items in the order of their positions. It is a B+tree of reference-counted nodes.
// Whoever holds a reference to the root shares the whole map as it was at that moment.
//
//                  inner   [ child | separator | child | separator | child ]
//                             │                   │
//           leaf  [ {hash, item} {hash, item} … ]  …
//
// A node with one owner is changed in place. A shared node is copied, as are the nodes on the path
// from the root, and the old node stays as it was for whoever pinned it. A copied leaf borrows
// its items from the old leaf (ordered_map_node.h).
//
// Invariants
//   order   positions ascend strictly, within a leaf and from leaf to leaf
//   search  left child < separator ≤ right child; a separator is {hash, bytes}, so that a search
//           in an inner node reads no item; the bytes are empty when the neighbours at the split
//           had different hashes
//   height  every leaf is at the same depth
//   fill    a leaf has 16 … 64 slots, an inner node 16 … 64 children. Only the root and the nodes
//           on the right edge may have fewer, but at least one (the root at least two children): an
//           insert behind the last position begins a new node at the right edge and does not move
//           entries out of the full node
//   owner   a node is changed in place only if it and all nodes above it have one reference each
//
// Not thread-safe: its partition's mutex guards it. A root that Pin returned is immutable and may
// be read and released from any thread, without a lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/memory/ref_counted.h"
#include "engine/map/ordered_map_node.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// A pinned map; null when it is empty.
using MapRoot = Ref<const MapNode>;

// No map that fits in memory is higher: an inner node that is not on the right edge has at least
// 16 children.
inline constexpr int kMaxMapHeight = 16;

class OrderedMap {
 public:
  // Where the item of a position is, or would be. Valid until the map changes or is pinned.
  class Place {
   public:
    Place() {}  // does not clear the steps
    // The item there, or null.
    const Item* item() const { return item_; }

   private:
    friend class OrderedMap;
    struct Step {
      MapNode* node;
      int index;  // of the child on the path, or of the slot in a leaf
    };
    const Item* item_ = nullptr;
    std::uint64_t hash_ = 0;
    std::uint16_t digest_ = 0;
    int depth_ = 0;
    Step steps_[kMaxMapHeight];
  };

  explicit OrderedMap(const PositionOrder& order) : order_(order) {}
  OrderedMap(OrderedMap&& other) noexcept
      : order_(other.order_), root_(std::exchange(other.root_, nullptr)) {}
  OrderedMap& operator=(OrderedMap&&) = delete;
  ~OrderedMap();

  // Returns the item at `position`, or null. Cost: O(log n), no allocation.
  const Item* Find(const Position& position) const;

  // Find in two steps, for several look-ups at once: FindLeaf returns the leaf that the item would
  // be in, or null, and starts to fetch the memory of the leaf; FindInLeaf then searches the leaf.
  // A leaf is valid until the map changes.
  const MapLeaf* FindLeaf(const Position& position) const;
  const Item* FindInLeaf(const MapLeaf* leaf, const Position& position) const;

  // Puts `item` at its position. Returns the item that was replaced, or null. Here and below, the
  // nodes that the map drops are added to `dropped`; functions without `dropped` release them.
  ItemRef Put(const Position& position, ItemRef item, DroppedNodes* dropped);
  ItemRef Put(const Position& position, ItemRef item);
  // Removes the item at the position. Returns the item, or null.
  ItemRef Erase(const Position& position, DroppedNodes* dropped);
  ItemRef Erase(const Position& position);

  // Put and Erase in two steps, so that a write descends the tree once.
  void Locate(const Position& position, Place* place);
  ItemRef PutAt(Place& place, ItemRef item, DroppedNodes* dropped);
  ItemRef EraseAt(Place& place, DroppedNodes* dropped);

  // Returns the most bytes of the calling thread's reserve (base/memory/memory_reserve.h) that one
  // write takes. A writer that has drawn this much for each of its writes cannot run out of memory
  // in them: with so few writes that the map does not become higher by more than one level.
  std::size_t MostBytesOfWrite() const {
    return hashrange::MostBytesOfWrite(order_, root_ ? root_->height : 0);
  }

  // Returns the map as it is now. Cost: O(1); the next write to each node copies that node.
  MapRoot Pin() const { return MapRoot::Share(root_); }
  // Fills this map, which is empty, with the content of a pinned map of the same order. Cost: O(1).
  void StartFrom(MapRoot root) { root_ = const_cast<MapNode*>(root.Detach()); }
  // Returns the content of the map and leaves the map empty. Cost: O(1).
  MapRoot TakeAll() { return MapRoot::Adopt(std::exchange(root_, nullptr)); }
  const PositionOrder& order() const { return order_; }

  // Returns about how much work it is to free the map, counted in items (CountToFree in
  // ordered_map_node.h). Stops counting at about `limit`, which bounds the cost. Nobody else uses
  // the map.
  int CountToFree(int limit) const { return root_ ? hashrange::CountToFree(root_, limit) : 0; }

  // Returns a text about the first broken invariant, or an empty text. For tests. Cost: O(n).
  std::string CheckInvariants() const;
  // Returns the bytes of the nodes, without the allocator's own part and without the items. For
  // tests and measurements. Cost: O(n).
  std::size_t NodeBytes() const;

 private:
  using Step = Place::Step;

  static void PrefetchCopies(const Place& place);
  void OwnPath(Place& place, DroppedNodes* dropped);
  MapNode* MakeOwned(MapNode* node, DroppedNodes* dropped);
  void Replace(Place& place, int level, MapNode* node);

  void InsertSlot(Place& place, Slot slot, DroppedNodes* dropped);
  void SplitLeaf(Place& place, Slot slot, DroppedNodes* dropped);
  void InsertChild(Place& place, int level, Separator separator, MapNode* child);
  static bool IsAtRightEdge(const Place& place, int level);

  void Rebalance(Place& place, DroppedNodes* dropped);
  void BalanceNeighbours(MapInner* parent, int left, DroppedNodes* dropped);
  void BalanceLeaves(MapInner* parent, int left, DroppedNodes* dropped);
  void BalanceInners(MapInner* parent, int left);
  void LowerRoot(DroppedNodes* dropped);

  const PositionOrder order_;
  MapNode* root_ = nullptr;  // owns a reference; null: empty
};

// MapCursor walks an interval of a pinned map, forward or backward. It keeps the pinned root, so
// that the map stays as it was, and needs no lock. Not thread-safe.
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
