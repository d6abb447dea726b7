// OrderedMap: items in the order of their positions. A B+tree of reference-counted nodes;
// sharing the root shares the whole map as it is at that moment.
//
//                  inner   [ child | separator | child | separator | child ]
//                             │                   │
//           leaf  [ {hash, item} {hash, item} … ]  …
//
// A node with one owner is changed in place; a shared one is copied, along the path from
// the root, and the old one stays as it was for whoever pinned it. A copied leaf borrows its
// items from the old one (ordered_map_node.h).
//
// Invariants
//   order   positions ascend strictly, within a leaf and from leaf to leaf
//   search  left child < separator ≤ right child; a separator is {hash, bytes}, its bytes
//           empty when the neighbours at its split differed in their hash, so that inner
//           nodes touch no item
//   height  every leaf is at the same depth
//   fill    a leaf has 16 … 64 slots, an inner node 16 … 64 children, save for the root and
//           the nodes on the right edge, which have at least one (the root at least two
//           children): ascending inserts split off an empty right edge and leave full nodes
//   owner   who reaches a node through counts of one, from the root down, may write to it
//
// Not thread-safe: its partition's mutex guards it. What Pin gives is immutable and may be
// read and released from any thread, without a lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/ref_counted.h"
#include "engine/ordered_map_node.h"
#include "engine/position_order.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// A pinned map; null when it is empty.
using MapRoot = Ref<const MapNode>;

// No map in memory is higher: an inner node off the right edge has 16 children or more.
inline constexpr int kMaxMapHeight = 16;

class OrderedMap {
 public:
  // Where a position is, or would be. Valid until the map changes or is pinned.
  class Place {
   public:
    Place() {}  // the steps are not cleared
    // The item there, or null.
    const Item* item() const { return item_; }

   private:
    friend class OrderedMap;
    struct Step {
      MapNode* node;
      int index;  // of the child on the way, or of the slot
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

  // The item at `position`, or null. Cost: O(log n), no allocation.
  const Item* Find(const Position& position) const;

  // The same in two steps, for several look-ups at once: FindLeaf starts to fetch the leaf
  // that FindIn then searches. No leaf, no item. Valid until the map changes.
  const MapLeaf* FindLeaf(const Position& position) const;
  const Item* FindIn(const MapLeaf* leaf, const Position& position) const;

  // Puts `item`, whose position it is, there. Returns the item it replaced, or null. Here and
  // below, nodes that the map lets go of are added to `dropped`, or released where it is left out.
  ItemRef Put(const Position& position, ItemRef item, DroppedNodes* dropped);
  ItemRef Put(const Position& position, ItemRef item);
  // Takes the item out. Returns it, or null when there is none.
  ItemRef Erase(const Position& position, DroppedNodes* dropped);
  ItemRef Erase(const Position& position);

  // The same in two steps, so that a write descends once.
  void Locate(const Position& position, Place* place);
  ItemRef PutAt(Place& place, ItemRef item, DroppedNodes* dropped);
  ItemRef EraseAt(Place& place, DroppedNodes* dropped);

  // The map as it is now. Cost: O(1); the next write to each node copies that node.
  MapRoot Pin() const { return MapRoot::Share(root_); }
  // Goes on from a pinned map of the same order. This one is empty. Cost: O(1).
  void Start(MapRoot root) { root_ = const_cast<MapNode*>(root.Detach()); }
  // Everything out of the map, which is empty then. Cost: O(1).
  MapRoot TakeAll() { return MapRoot::Adopt(std::exchange(root_, nullptr)); }
  const PositionOrder& order() const { return order_; }

  // How many items and nodes go with the map, those it shares left out; at most about `limit`,
  // which bounds the cost. The caller has the map to itself.
  int CountToFree(int limit) const { return root_ ? hashrange::CountToFree(root_, limit) : 0; }

  // The first invariant that is broken, or nothing. For tests. Cost: O(n).
  std::string CheckInvariants() const;
  // Bytes of the nodes, without the allocator's own and without the items. Cost: O(n).
  std::size_t NodeBytes() const;

 private:
  using Step = Place::Step;

  static void PrefetchCopies(const Place& place);
  void OwnPath(Place& place, DroppedNodes* dropped);
  MapNode* Own(MapNode* node, DroppedNodes* dropped);
  void Replace(Place& place, int level, MapNode* node);

  void InsertSlot(Place& place, Slot slot, DroppedNodes* dropped);
  void SplitLeaf(Place& place, Slot slot, DroppedNodes* dropped);
  void InsertChild(Place& place, int level, Separator separator, MapNode* child);
  static bool IsAtRightEdge(const Place& place, int level);

  void Rebalance(Place& place, DroppedNodes* dropped);
  void Even(MapInner* parent, int left, DroppedNodes* dropped);
  void EvenLeaves(MapInner* parent, int left, DroppedNodes* dropped);
  void EvenInners(MapInner* parent, int left);
  void LowerRoot(DroppedNodes* dropped);

  const PositionOrder order_;
  MapNode* root_ = nullptr;  // owns a reference; null: empty
};

}  // namespace hashrange
