// The nodes of an ordered map, and the search within one. Only the ordered map's own files
// use nodes; ordered_map.h has the picture and the invariants.
//
//   leaf   header (8 bytes) · origin · borrowed · slot (16 bytes) × capacity: 4, 16 or 64
//   inner  header (8 bytes) · child × 64 · separator (16 bytes) × 63
//
// A node is shared by counting references. Whoever reaches a node, from the root down, through
// nodes with one reference each may change the node; everybody else only reads it.
//
// A leaf owns a reference to each of its items, except to those that it borrows. The copy of a leaf
// begins with borrowed items only: it owns a reference to its origin, the leaf it was copied from,
// and the origin keeps the items alive. So the first write to a shared leaf changes no counts of
// items; each change would wait for memory. An origin has no origin itself: a copy of a copy
// borrows from the first leaf, and adds references to the few items that the first copy owns. A
// leaf stops borrowing at its next write after everybody else has released the origin, or when
// more than kMaxUnborrowed of the origin's items are not borrowed any more: so an origin keeps at
// most that many items alive that no map contains.
//
// The memory of nodes and separators comes from the thread's reserve when the allocator has none.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "base/memory/arena.h"
#include "base/memory/memory_reserve.h"
#include "base/memory/ref_counted.h"
#include "value/item.h"
#include "value/key.h"
#include "value/schema.h"

namespace hashrange {

// PositionOrder: the order of the slots of an ordered map that have the same hash. A table's map
// compares the keys in the items' blocks; an index's map compares index keys, made from the
// attributes of the items. A value of two pointers; the schemas outlive it.
struct PositionOrder {
  const KeySchema* table = nullptr;
  const KeySchema* index = nullptr;  // null: this is the order of the table's own map

  // Compares the bytes of the item's position with `bytes`. Returns a negative number, 0 or a
  // positive number.
  int Compare(const Item* item, std::string_view bytes) const {
    if (index == nullptr) return item->key().compare(bytes);
    return CompareIndexBytes(*index, ItemView(*table, item), bytes);
  }

  // The most bytes that a position takes.
  std::size_t max_position_bytes() const {
    return index ? MaxIndexPositionBytes(index->parts()) : kMaxPositionBytes;
  }

  // Returns the position in the map of an item that belongs to the map.
  Position PositionOf(const Item* item, Arena& arena) const {
    if (index == nullptr) return {item->hash(), item->key()};
    return *IndexPosition(*index, ItemView(*table, item), arena);
  }
};

inline constexpr int kLeafSlots = 64;
inline constexpr int kInnerChildren = 64;
// A node with fewer entries than this is merged with a neighbour, or gets entries from it.
inline constexpr int kLeafLow = kLeafSlots / 4;
inline constexpr int kInnerLow = kInnerChildren / 4;
// A leaf stops borrowing when its origin has more items than this that the leaf does not borrow.
inline constexpr int kMaxUnborrowed = kLeafSlots / 8;

// Returns a short digest of a position's bytes. Slots with the same hash are an item collection: a
// search for an exact position among them compares digests first, and so usually reads one item.
std::uint16_t DigestOf(std::string_view bytes);

// One item of a leaf, which owns a reference to the item or borrows it. The digest is stored in the
// 16 highest bits, which an address in user space does not use.
struct Slot {
  Slot(std::uint64_t position_hash, const Item* item, std::uint16_t digest)
      : hash(position_hash),
        bits(reinterpret_cast<std::uintptr_t>(item) | std::uint64_t{digest} << kAddressBits) {}

  const Item* item() const {
    return reinterpret_cast<const Item*>(static_cast<std::uintptr_t>(bits & kAddressMask));
  }
  std::uint16_t digest() const { return static_cast<std::uint16_t>(bits >> kAddressBits); }

  static constexpr int kAddressBits = 48;
  static constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << kAddressBits) - 1;
  static_assert(sizeof(std::uintptr_t) <= sizeof(std::uint64_t));

  std::uint64_t hash;
  std::uint64_t bits;
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

// A bound between two children: above every position in the child to its left, and not above any
// position in the child to its right.
struct Separator {
  std::uint64_t hash;
  const SeparatorBytes* bytes;  // null: empty

  std::string_view view() const { return bytes ? bytes->view() : std::string_view(); }
};

struct MapNode;

// Nodes that a map has dropped. Whoever wrote to the map releases them when nothing is locked, as
// that may free nodes and items.
using DroppedNodes = absl::InlinedVector<Ref<const MapNode>, 8>;
// Adds a node. When there is no memory for that, the node is released at once: this takes time
// while something is locked, but is not wrong.
void Drop(Ref<const MapNode> node, DroppedNodes* dropped) noexcept;

struct MapNode {
  MapNode(int node_height, int slot_capacity)
      : height(static_cast<std::uint8_t>(node_height)),
        capacity(static_cast<std::uint8_t>(slot_capacity)) {}

  void AddRef() const { references.fetch_add(1, std::memory_order_relaxed); }
  void Release() const {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1) Free(this);
  }
  // The acquire pairs with the Release of the last reader that shared the node: its reads happen
  // before our writes.
  bool has_one_owner() const { return references.load(std::memory_order_acquire) == 1; }

  mutable std::atomic<std::uint32_t> references{1};
  std::uint16_t count = 0;      // of slots or children
  const std::uint8_t height;    // 0: a leaf
  const std::uint8_t capacity;  // the number of slots that a leaf has room for

 private:
  // Frees the node and everything that only it referred to. Recursive, once for each level.
  static void Free(const MapNode* node);
};

class MapLeaf : public MapNode {
 public:
  // Returns an empty leaf with room for at least `slots`.
  static MapLeaf* Make(int slots);
  // Returns a leaf with the same slots, which borrows as many items as possible.
  MapLeaf* Copy() const;
  // Moves the slots into a new leaf with room for at least `room`, and returns the new leaf. This
  // leaf, which has one owner, is freed.
  MapLeaf* Grow(int room);

  const Slot* slots() const { return reinterpret_cast<const Slot*>(this + 1); }

  // Inserts a slot. Insert and Replace take over the caller's reference to the slot's item.
  void Insert(int at, Slot slot, DroppedNodes* dropped);
  // Return a reference to the item that was in the slot.
  ItemRef Replace(int at, Slot slot, DroppedNodes* dropped);
  ItemRef Remove(int at, DroppedNodes* dropped);
  // Move the last `n` slots to the front of the right neighbour, or the first `n` slots to the end
  // of the left neighbour, which has room. Afterwards both leaves borrow nothing.
  void MoveLastTo(MapLeaf* right, int n, DroppedNodes* dropped);
  void MoveFirstTo(MapLeaf* left, int n, DroppedNodes* dropped);

  // Starts to fetch the reference counts that a copy of the leaf increments.
  void PrefetchCounts() const;
  // The same as CountToFree below, for a leaf that is about to be freed.
  int CountToFree() const;
  const MapLeaf* origin() const { return origin_; }
  bool IsBorrowed(int at) const { return borrowed_ >> at & 1; }

 private:
  friend struct MapNode;
  explicit MapLeaf(int slot_capacity) : MapNode(0, slot_capacity) {}

  Slot* mutable_slots() { return reinterpret_cast<Slot*>(this + 1); }
  void AppendSlots(const Slot* from, int n);
  ItemRef TakeItem(int at);
  void DropOriginIfDue(DroppedNodes* dropped);
  void InheritOrigin(DroppedNodes* dropped);
  void BorrowNothing(DroppedNodes* dropped);
  // Releases the items and the origin of a leaf that is about to be freed.
  void ReleaseItems() const;

  const MapLeaf* origin_ = nullptr;  // owns a reference; null when nothing is borrowed
  std::uint64_t borrowed_ = 0;       // bit i: the item of slot i is borrowed
};
static_assert(kLeafSlots <= 64);

struct MapInner : MapNode {
  static MapInner* Make(int height) { return new MapInner(height); }
  static void* operator new(std::size_t bytes) {
    return AllocateReserved(MemoryPart::kInnerNodes, bytes);
  }
  static void operator delete(void* node) { FreeReserved(MemoryPart::kInnerNodes, node); }
  MapInner* Copy() const;

  // Inserts a separator and then `child` behind child `at`. There is room.
  void InsertAfter(int at, Separator separator, MapNode* child);
  // Removes child `at` + 1 and the separator before it, without releasing either.
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

// Returns the index of the child in whose range `position` is.
int ChildIndex(const MapInner* inner, const Position& position);
// Starts to fetch all cache lines of a leaf: a search in a leaf that is not in the cache then waits
// for memory once, and not at each step. This saves a third of the time
// of a look-up among a million items.
void PrefetchSlots(const MapLeaf* leaf);
// Starts to fetch the reference counts that a copy of the node increments. Otherwise each increment
// would wait for memory.
void PrefetchCounts(const MapNode* node);
// Returns about how much work it is to release a reference to the node, counted in items: 1 for
// each item that is freed, 1 more for each full page (4 KB) of the item, and 1 for each node that
// others share and that therefore stays. Stops counting at about `limit`.
int CountToFree(const MapNode* node, int limit);
// Returns the index of the slot at `position`, or −1. `digest` is the digest of the position's
// bytes.
int FindSlot(const MapLeaf* leaf, const Position& position, std::uint16_t digest,
             const PositionOrder& order);
// Returns the index of the first slot that is not below `position`. Sets `*found` to whether that
// slot is at `position`.
int SlotIndex(const MapLeaf* leaf, const Position& position, const PositionOrder& order,
              bool* found);

// Returns the most bytes of the thread's reserve (base/memory/memory_reserve.h) that a Put or an
// Erase takes, in a map of this height, if the allocator has no memory.
std::size_t MostBytesOfWrite(const PositionOrder& order, int height);

// Returns a separator for two neighbouring slots: the hash of the right slot alone if the hashes
// differ, else also the shortest beginning of the right slot's bytes that is above the left slot's
// bytes.
Separator SeparatorBetween(const PositionOrder& order, const Slot& left, const Slot& right);

}  // namespace hashrange
