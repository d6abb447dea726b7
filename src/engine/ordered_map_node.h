// The nodes of an ordered map, and the search within one. Only the ordered map's own files
// use them; ordered_map.h has the picture and the invariants.
//
//   leaf   header (8) · origin · borrowed · slot (16) × capacity      4, 16 or 64 slots
//   inner  header (8) · child × 64 · separator (16) × 63
//
// A node is shared by counting references. Whoever reaches a node through references that
// are all the only ones may change it; everybody else only reads.
//
// A leaf holds a reference to each of its items, but for those that it borrows: a copy begins
// with items that all are borrowed from its origin, the leaf it was copied from, which it keeps
// from being freed. So the first write to a shared leaf visits none of its items, each of which
// would be waited for. An origin has no origin: a copy of a copy borrows from the first leaf, and
// adds references to the few items that are not. It borrows nothing any more at its next write
// after everybody else has let go of its origin, and when more than kMostReturned of the origin's
// items are not in it: so many at most are kept alive that nobody finds.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "base/ref_counted.h"
#include "engine/position_order.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

inline constexpr int kLeafSlots = 64;
inline constexpr int kInnerChildren = 64;
// Fewer entries than this and a node is merged or evened out with a neighbour.
inline constexpr int kLeafLow = kLeafSlots / 4;
inline constexpr int kInnerLow = kInnerChildren / 4;
// A leaf that has given back more of the items that it borrowed has references to the rest.
inline constexpr int kMostReturned = kLeafSlots / 8;

// A short digest of a position's bytes. Slots of one hash are an item collection: where an
// exact position is looked for among them, the digests tell it without a visit to the items.
std::uint16_t DigestOf(std::string_view bytes);

// An item of a leaf, which owns a reference to it or borrows it. The digest stands in the 16 bits
// above those that an address in user space has.
struct Slot {
  Slot(std::uint64_t position_hash, const Item* item, std::uint16_t digest)
      : hash(position_hash),
        bits(reinterpret_cast<std::uintptr_t>(item) | std::uintptr_t{digest} << kAddressBits) {}

  const Item* item() const { return reinterpret_cast<const Item*>(bits & kAddressMask); }
  std::uint16_t digest() const { return static_cast<std::uint16_t>(bits >> kAddressBits); }

  static constexpr int kAddressBits = 48;
  static constexpr std::uintptr_t kAddressMask = (std::uintptr_t{1} << kAddressBits) - 1;
  static_assert(sizeof(std::uintptr_t) == 8);

  std::uint64_t hash;
  std::uintptr_t bits;
};

// The key bytes of a separator: one block, shared by the copies of its node.
class SeparatorBytes {
 public:
  static const SeparatorBytes* Make(std::string_view bytes);
  void AddRef() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release() const;
  std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), size_}; }

 private:
  explicit SeparatorBytes(std::uint32_t size) : size_(size) {}
  mutable std::atomic<std::uint32_t> references_{1};
  const std::uint32_t size_;
};

// Above everything in the child to its left; not above anything in the child to its right.
struct Separator {
  std::uint64_t hash;
  const SeparatorBytes* bytes;  // null: empty

  std::string_view view() const { return bytes ? bytes->view() : std::string_view(); }
};

struct MapNode;

// Nodes that a map has let go of. Whoever wrote to it releases them, and so perhaps frees items,
// when nothing is locked.
using DroppedNodes = absl::InlinedVector<Ref<const MapNode>, 8>;

struct MapNode {
  MapNode(int node_height, int slot_capacity)
      : height(static_cast<std::uint8_t>(node_height)),
        capacity(static_cast<std::uint8_t>(slot_capacity)) {}

  void AddRef() const { references.fetch_add(1, std::memory_order_relaxed); }
  void Release() const {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1) Free(this);
  }
  // The acquire pairs with the Release of the reader that was last to share the node: what
  // it read, it has read before we write.
  bool has_one_owner() const { return references.load(std::memory_order_acquire) == 1; }

  mutable std::atomic<std::uint32_t> references{1};
  std::uint16_t count = 0;      // slots, or children
  const std::uint8_t height;    // 0: a leaf
  const std::uint8_t capacity;  // slots there is room for

 private:
  // Frees the node and what only it held on to; recursion over the height.
  static void Free(const MapNode* node);
};

class MapLeaf : public MapNode {
 public:
  // An empty leaf with room for at least `slots`.
  static MapLeaf* Make(int slots);
  // The same slots, with as many items borrowed as can be.
  MapLeaf* Copy() const;
  // Moves the slots into a leaf with room for at least `room`; this one, which has one
  // owner, is gone.
  MapLeaf* Grow(int room);

  const Slot* slots() const { return reinterpret_cast<const Slot*>(this + 1); }

  // The leaf's to keep: a slot's reference to its item.
  void Insert(int at, Slot slot, DroppedNodes* dropped);
  // Return a reference to the item that was there.
  ItemRef Replace(int at, Slot slot, DroppedNodes* dropped);
  ItemRef Remove(int at, DroppedNodes* dropped);
  // Moves the last `n` slots, or the first ones, to the other end of a neighbour on that side,
  // which has room. Both borrow nothing afterwards.
  void MoveLastTo(MapLeaf* right, int n, DroppedNodes* dropped);
  void MoveFirstTo(MapLeaf* left, int n, DroppedNodes* dropped);

  // Fetches the counts that a copy increments.
  void PrefetchCounts() const;
  // As CountToFree below, of a leaf that is about to be freed.
  int CountToFree() const;
  const MapLeaf* origin() const { return origin_; }
  bool IsBorrowed(int at) const { return borrowed_ >> at & 1; }

 private:
  friend struct MapNode;
  explicit MapLeaf(int slot_capacity) : MapNode(0, slot_capacity) {}

  Slot* mutable_slots() { return reinterpret_cast<Slot*>(this + 1); }
  void CopySlots(const Slot* from, int n);
  ItemRef Take(int at);
  void SettleWithOrigin(DroppedNodes* dropped);
  void InheritOrigin(DroppedNodes* dropped);
  void BorrowNothing(DroppedNodes* dropped);
  // Lets go of what it holds: whoever frees it has the last reference.
  void ReleaseItems() const;

  const MapLeaf* origin_ = nullptr;  // holds a reference; null when nothing is borrowed
  std::uint64_t borrowed_ = 0;       // bit i: the item of slot i
};
static_assert(kLeafSlots <= 64);

struct MapInner : MapNode {
  static MapInner* Make(int height) { return new MapInner(height); }
  MapInner* Copy() const;

  // Behind child `at`: a separator and the child above it. There is room.
  void InsertAfter(int at, Separator separator, MapNode* child);
  // Takes out child `at` + 1 and the separator before it, releasing neither.
  void RemoveAfter(int at);

  MapNode* children[kInnerChildren];
  Separator separators[kInnerChildren - 1];

 private:
  explicit MapInner(int node_height) : MapNode(node_height, 0) {}
};

inline const MapLeaf* AsLeaf(const MapNode* node) { return static_cast<const MapLeaf*>(node); }
inline MapLeaf* AsLeaf(MapNode* node) { return static_cast<MapLeaf*>(node); }
inline const MapInner* AsInner(const MapNode* node) { return static_cast<const MapInner*>(node); }
inline MapInner* AsInner(MapNode* node) { return static_cast<MapInner*>(node); }

// The child in whose range `position` is.
int ChildIndex(const MapInner* inner, const Position& position);
// Fetches the lines of a leaf together: a search in one that is not in the cache waits for
// memory once, not at each step (a third of a look-up among a million items).
void PrefetchSlots(const MapLeaf* leaf);
// Fetches the counts that a copy of the node increments: each would wait for memory by itself
// otherwise.
void PrefetchCounts(const MapNode* node);
// What the release of a reference lets go of, counted until there are `limit`: nodes and items, a
// large item as often as it has pages.
int CountToFree(const MapNode* node, int limit);
// The slot at `position`, whose bytes have that digest; −1 when there is none.
int FindSlot(const MapLeaf* leaf, const Position& position, std::uint16_t digest,
             const PositionOrder& order);
// The first slot that is not below `position`; `*found` says whether it is the position's.
int SlotIndex(const MapLeaf* leaf, const Position& position, const PositionOrder& order,
              bool* found);

// A separator for two neighbours: the right hash alone if that will do, else the shortest
// beginning of the right one's bytes that is above the left one's.
Separator SeparatorBetween(const PositionOrder& order, const Slot& left, const Slot& right);

}  // namespace hashrange
