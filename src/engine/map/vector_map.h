// VectorMap: the rows of one partition of a vector index. A row is the vector of an item, as
// floats. Rows of one group, the items with the same value of the index's HASH element, are kept
// together, so that a search reads only rows of its group, and reads them in long runs of memory.
//
//          inner  [ 0 | 1 ]                by the bits of the group's hash
//                   │   └ group ─ inner [ 0 | 1 ]        by the bits of the row's hash
//                   …               │       └ chunk [ row row row … ]
//                                   └ chunk [ row row … ]
//
// Both trees are binary tries over hashes, which are spread evenly, so that they need no balancing.
// A node with one owner, above which all nodes have one owner, is changed in place. A shared node
// is copied, as is the path above it, and the old node stays as it was for whoever pinned it: so a
// pin costs O(1), as in an ordered map (engine/map/ordered_map.h).
//
// Not thread-safe: its partition's mutex guards it. Pinned nodes are immutable and may be read and
// released from any thread, without a lock. The memory of nodes comes from the thread's reserve
// when the allocator has none.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "base/memory/ref_counted.h"
#include "engine/vectors/row_block.h"
#include "value/item.h"

namespace hashrange {

// A chunk has rows up to this size in all, and at least one row.
inline constexpr std::size_t kMaxChunkBytes = 64 << 10;

// The bytes of a row in a chunk: its hash and item, its measures, its coarse copy, its floats. Of
// the room of a chunk, a half or more is used, but for the first rows of a group.
constexpr std::size_t VectorRowBytes(int dimensions) {
  return sizeof(std::uint64_t) + sizeof(const Item*) + sizeof(RowMeasures) +
         RowStride(dimensions) * (sizeof(std::int8_t) + sizeof(float));
}

struct VectorNode {
  enum class Kind : std::uint8_t { kInner, kGroup, kChunk };

  explicit VectorNode(Kind node_kind) : kind(node_kind) {}
  void AddRef() const { references.fetch_add(1, std::memory_order_relaxed); }
  void Release() const {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1) Free(this);
  }
  // The acquire pairs with the Release of the last reader that shared the node.
  bool has_one_owner() const { return references.load(std::memory_order_acquire) == 1; }

  mutable std::atomic<std::uint32_t> references{1};
  const Kind kind;

 private:
  // Frees the node and everything that only the node referred to. Recursive, once for each level.
  static void Free(const VectorNode* node);
};

// A pinned map or group; null when it is empty.
using VectorRoot = Ref<const VectorNode>;
// Nodes that a map has dropped. Whoever wrote to the map releases them when nothing is locked.
using DroppedVectorNodes = absl::InlinedVector<VectorRoot, 4>;

// The rows of a chunk. Row i is the vector of items[i].
struct VectorRows {
  RowBlock block;
  RowBlock next;  // of the chunk that comes next; empty at the end
  const Item* const* items = nullptr;
};

// Where a row is: the hash of its group, and its item's position in the table.
struct RowAddress {
  std::uint64_t group = 0;
  std::uint64_t row = 0;  // RowHash of the key
  std::string_view key;   // Item::key
};

// Returns the hash by which a row is found among the rows of its group.
std::uint64_t RowHash(std::string_view item_key);

class VectorMap {
 public:
  explicit VectorMap(int dimensions) : dimensions_(dimensions) {}
  VectorMap(const VectorMap&) = delete;
  VectorMap& operator=(const VectorMap&) = delete;
  ~VectorMap();

  // Puts the row of an item, or exchanges the item of the row that is there. `floats` are
  // RowStride(dimensions) floats; null: the row that is there keeps its floats, and if there is
  // none, nothing is put. Returns the item that was replaced, or null. Nodes that the map drops are
  // added to `dropped`. Cost: O(log n), and the copy of a chunk if it is shared or full.
  ItemRef Put(const RowAddress& address, ItemRef item, const float* floats,
              DroppedVectorNodes* dropped);
  // Removes the row. Returns its item, or null.
  ItemRef Erase(const RowAddress& address, DroppedVectorNodes* dropped);

  // The most bytes of the calling thread's reserve (base/memory/memory_reserve.h) that one Put or
  // Erase takes.
  std::size_t MostBytesOfWrite() const;

  // Returns the map as it is now. Cost: O(1).
  VectorRoot Pin() const { return VectorRoot::Share(root_); }
  // Returns the rows of one group as they are now; null when there are none. Groups whose hashes
  // are equal are one group here. Cost: O(log n).
  VectorRoot PinGroup(std::uint64_t group) const;
  // Fills this map, which is empty, with the content of a pinned map of the same dimensions.
  void StartFrom(VectorRoot root) { root_ = const_cast<VectorNode*>(root.Detach()); }
  // Returns the content of the map and leaves the map empty. Cost: O(1).
  VectorRoot TakeAll() { return VectorRoot::Adopt(std::exchange(root_, nullptr)); }

  // Returns about how much work it is to free the map, counted in items. Stops counting at about
  // `limit`. Nobody else uses the map.
  int CountToFree(int limit) const;

  // Returns a text about the first broken invariant, or an empty text. For tests. Cost: O(n).
  std::string CheckInvariants() const;

 private:
  const int dimensions_;
  VectorNode* root_ = nullptr;  // owns a reference; null: empty
};

// A map with the number and the size of its entries.
struct CountedVectors {
  explicit CountedVectors(int dimensions) : map(dimensions) {}

  VectorMap map;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  std::int64_t value_bytes = 0;  // the sizes of the vectors as ordinary values of their items
};

// VectorReader reads the rows of a pinned group, chunk after chunk, with no lock held. The rows and
// the items stay valid as long as the reader lives. Not thread-safe.
class VectorReader {
 public:
  // `group`: what VectorMap::PinGroup returned.
  explicit VectorReader(VectorRoot group);

  // Returns false at the end.
  bool Next(VectorRows* rows);

 private:
  const VectorNode* NextChunk();

  VectorRoot group_;
  absl::InlinedVector<const VectorNode*, 32> left_;  // the nodes that are to be read, the next last
  const VectorNode* next_ = nullptr;
};

}  // namespace hashrange
