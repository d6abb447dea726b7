#include "engine/map/ordered_map_node.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace hashrange {
namespace {

// Returns the index of the first of `n` entries whose hash is at least `hash`. The loop is written
// so that compilers use conditional moves and not branches: the processor cannot predict the
// outcome of a comparison of hashes.
template <typename Entry>
int FirstAtLeast(const Entry* entries, int n, std::uint64_t hash) {
  const Entry* base = entries;
  while (n > 1) {
    const int half = n / 2;
    base += base[half - 1].hash < hash ? half : 0;
    n -= half;
  }
  return static_cast<int>(base - entries) + (n == 1 && base->hash < hash);
}

// Returns the end of the run of entries, from `first` on, that have the same hash as entry `first`.
template <typename Entry>
int EndOfRun(const Entry* entries, int n, int first) {
  const std::uint64_t hash = entries[first].hash;
  if (first + 1 == n || entries[first + 1].hash != hash) return first + 1;
  if (entries[n - 1].hash == hash) return n;  // the node is inside an item collection
  return first + FirstAtLeast(entries + first, n - first, hash + 1);
}

}  // namespace

std::uint16_t DigestOf(std::string_view bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t digest = bytes.size();
  const auto mix = [&](std::uint64_t word) {
    digest = (digest ^ word) * kOdd;
    digest ^= digest >> 29;
  };
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof(word); bytes.remove_prefix(sizeof(word))) {
    std::memcpy(&word, bytes.data(), sizeof(word));
    mix(word);
  }
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  mix(word);
  return static_cast<std::uint16_t>(digest >> Slot::kAddressBits);
}

void PrefetchSlots(const MapLeaf* leaf) {
  constexpr int kSlotsInLine = 64 / sizeof(Slot);
  // All lines that a leaf may have are fetched: the number of slots is stored in the leaf itself,
  // which may not be in the cache yet.
  for (int i = 0; i < kLeafSlots; i += kSlotsInLine) __builtin_prefetch(leaf->slots() + i);
}

void PrefetchCounts(const MapNode* node) {
  constexpr int kPrefetchToWrite = 1;
  if (node->height == 0) return AsLeaf(node)->PrefetchCounts();
  MapNode* const* children = AsInner(node)->children;
  for (int i = 0; i < node->count; ++i) __builtin_prefetch(children[i], kPrefetchToWrite);
}

const SeparatorBytes* SeparatorBytes::Make(std::string_view bytes) {
  void* memory = AllocateReserved(MemoryPart::kSeparators, sizeof(SeparatorBytes) + bytes.size());
  auto* made = new (memory) SeparatorBytes(static_cast<std::uint32_t>(bytes.size()));
  std::memcpy(reinterpret_cast<char*>(made + 1), bytes.data(), bytes.size());
  return made;
}

void SeparatorBytes::Release() const {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  this->~SeparatorBytes();
  FreeReserved(MemoryPart::kSeparators, const_cast<SeparatorBytes*>(this));
}

int CountToFree(const MapNode* node, int limit) {
  if (!node->has_one_owner()) return 1;
  if (node->height == 0) return AsLeaf(node)->CountToFree();
  int count = 0;
  for (int i = 0; i < node->count && count < limit; ++i) {
    count += CountToFree(AsInner(node)->children[i], limit - count);
  }
  return count;
}

void Drop(Ref<const MapNode> node, DroppedNodes* dropped) noexcept {
  try {
    dropped->push_back(std::move(node));
  } catch (const std::bad_alloc&) {
  }
}

// A Put copies the nodes of its path, and each of them may be split: the leaf once more when it is
// full or too small, each inner node, and the root, above which a new one is made. An Erase copies
// the nodes of its path and one neighbour of each, may make both leaves larger, and may copy nodes
// that become the root. Either makes at most one separator. Another write of the same commit may
// have made the map higher by one level.
std::size_t MostBytesOfWrite(const PositionOrder& order, int height) {
  constexpr std::size_t kLeaves = 4, kInnerNodesOfLevel = 3;
  const std::size_t levels = static_cast<std::size_t>(height) + 1;
  return kLeaves * ReservedBytes(sizeof(MapLeaf) + kLeafSlots * sizeof(Slot)) +
         kInnerNodesOfLevel * levels * ReservedBytes(sizeof(MapInner)) +
         ReservedBytes(sizeof(SeparatorBytes) + order.max_position_bytes());
}

void MapNode::Free(const MapNode* node) {
  if (node->height == 0) {
    AsLeaf(node)->ReleaseItems();
    FreeReserved(MemoryPart::kLeaves, const_cast<MapNode*>(node));
    return;
  }
  const MapInner* inner = AsInner(node);
  for (int i = 0; i < inner->count; ++i) inner->children[i]->Release();
  for (int i = 0; i + 1 < inner->count; ++i) {
    if (inner->separators[i].bytes) inner->separators[i].bytes->Release();
  }
  delete inner;
}

MapInner* MapInner::Copy() const {
  MapInner* copy = Make(height);
  copy->count = count;
  std::copy_n(children, count, copy->children);
  std::copy_n(separators, count - 1, copy->separators);
  for (int i = 0; i < count; ++i) children[i]->AddRef();
  for (int i = 0; i + 1 < count; ++i) {
    if (separators[i].bytes) separators[i].bytes->AddRef();
  }
  return copy;
}

void MapInner::InsertAfter(int at, Separator separator, MapNode* child) {
  assert(count < kInnerChildren);
  std::copy_backward(children + at + 1, children + count, children + count + 1);
  std::copy_backward(separators + at, separators + count - 1, separators + count);
  children[at + 1] = child;
  separators[at] = separator;
  ++count;
}

void MapInner::RemoveAfter(int at) {
  std::copy(children + at + 2, children + count, children + at + 1);
  std::copy(separators + at + 1, separators + count - 1, separators + at);
  --count;
}

int ChildIndex(const MapInner* inner, const Position& position) {
  const Separator* separators = inner->separators;
  const int n = inner->count - 1;
  int low = FirstAtLeast(separators, n, position.hash);
  if (low == n || separators[low].hash != position.hash) return low;
  int high = EndOfRun(separators, n, low);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (separators[middle].view() <= position.bytes) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

int FindSlot(const MapLeaf* leaf, const Position& position, std::uint16_t digest,
             const PositionOrder& order) {
  const Slot* slots = leaf->slots();
  for (int i = FirstAtLeast(slots, leaf->count, position.hash);
       i < leaf->count && slots[i].hash == position.hash; ++i) {
    if (slots[i].digest() == digest && order.Compare(slots[i].item(), position.bytes) == 0)
      return i;
  }
  return -1;
}

int SlotIndex(const MapLeaf* leaf, const Position& position, const PositionOrder& order,
              bool* found) {
  PrefetchSlots(leaf);
  const Slot* slots = leaf->slots();
  *found = false;
  int low = FirstAtLeast(slots, leaf->count, position.hash);
  if (low == leaf->count || slots[low].hash != position.hash) return low;
  int high = EndOfRun(slots, leaf->count, low);
  while (low < high) {
    const int middle = (low + high) / 2;
    // The next comparison is close to one of these two items, depending on the outcome of this one.
    __builtin_prefetch(slots[(low + middle) / 2].item());
    __builtin_prefetch(slots[(middle + high) / 2].item());
    const int compared = order.Compare(slots[middle].item(), position.bytes);
    if (compared == 0) {
      *found = true;
      return middle;
    }
    if (compared < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Separator SeparatorBetween(const PositionOrder& order, const Slot& left, const Slot& right) {
  if (left.hash != right.hash) return {right.hash, nullptr};
  // The positions in an index are made on the stack, where memory cannot be missing.
  char memory[2 * MaxIndexPositionBytes(kMaxKeyParts)];
  Arena scratch{std::span<char>(memory)};
  const std::string_view below = order.PositionOf(left.item(), scratch).bytes;
  const std::string_view above = order.PositionOf(right.item(), scratch).bytes;
  const std::size_t shorter = std::min(below.size(), above.size());
  const auto differ = std::mismatch(above.begin(), above.begin() + shorter, below.begin());
  const std::size_t same = static_cast<std::size_t>(differ.first - above.begin());
  return {right.hash, SeparatorBytes::Make(above.substr(0, same + 1))};
}

namespace {

constexpr int kPrefetchToWrite = 1;

// A leaf begins small, so that a table of a few items takes little memory.
int CapacityFor(int slots) { return slots <= 4 ? 4 : slots <= 16 ? 16 : kLeafSlots; }

// Returns a mask of the lowest `n` bits; n < 64.
constexpr std::uint64_t LowBits(int n) { return (std::uint64_t{1} << n) - 1; }

}  // namespace

MapLeaf* MapLeaf::Make(int slots) {
  const int capacity = CapacityFor(slots);
  void* memory = AllocateReserved(MemoryPart::kLeaves, sizeof(MapLeaf) + sizeof(Slot) * capacity);
  return new (memory) MapLeaf(capacity);
}

MapLeaf* MapLeaf::Copy() const {
  MapLeaf* copy = Make(count);
  copy->AppendSlots(slots(), count);
  if (count == 0) return copy;
  copy->origin_ = origin_ ? origin_ : this;
  copy->origin_->AddRef();
  copy->borrowed_ = origin_ ? borrowed_ : ~std::uint64_t{0} >> (64 - count);
  if (!origin_) return copy;
  for (int i = 0; i < count; ++i) {
    if (!IsBorrowed(i)) slots()[i].item()->AddRef();
  }
  return copy;
}

MapLeaf* MapLeaf::Grow(int room) {
  MapLeaf* grown = Make(room);
  grown->AppendSlots(slots(), count);
  grown->origin_ = std::exchange(origin_, nullptr);
  grown->borrowed_ = std::exchange(borrowed_, 0);
  count = 0;
  Release();
  return grown;
}

void MapLeaf::Insert(int at, Slot slot, DroppedNodes* dropped) {
  assert(count < capacity);
  Slot* place = mutable_slots() + at;
  std::memmove(place + 1, place, sizeof(Slot) * (count - at));
  *place = slot;
  borrowed_ = (borrowed_ & LowBits(at)) | (borrowed_ & ~LowBits(at)) << 1;
  ++count;
  DropOriginIfDue(dropped);
}

ItemRef MapLeaf::Replace(int at, Slot slot, DroppedNodes* dropped) {
  ItemRef before = TakeItem(at);
  mutable_slots()[at] = slot;
  DropOriginIfDue(dropped);
  return before;
}

ItemRef MapLeaf::Remove(int at, DroppedNodes* dropped) {
  ItemRef before = TakeItem(at);
  Slot* place = mutable_slots() + at;
  std::memmove(place, place + 1, sizeof(Slot) * (count - at - 1));
  borrowed_ = (borrowed_ & LowBits(at)) | (borrowed_ & ~LowBits(at)) >> 1;
  --count;
  DropOriginIfDue(dropped);
  return before;
}

void MapLeaf::MoveLastTo(MapLeaf* right, int n, DroppedNodes* dropped) {
  assert(right->count + n <= right->capacity);
  BorrowNothing(dropped);
  right->BorrowNothing(dropped);
  Slot* to = right->mutable_slots();
  std::memmove(to + n, to, sizeof(Slot) * right->count);
  std::memcpy(to, slots() + count - n, sizeof(Slot) * n);
  right->count = static_cast<std::uint16_t>(right->count + n);
  count = static_cast<std::uint16_t>(count - n);
}

void MapLeaf::MoveFirstTo(MapLeaf* left, int n, DroppedNodes* dropped) {
  BorrowNothing(dropped);
  left->BorrowNothing(dropped);
  left->AppendSlots(slots(), n);
  std::memmove(mutable_slots(), slots() + n, sizeof(Slot) * (count - n));
  count = static_cast<std::uint16_t>(count - n);
}

void MapLeaf::PrefetchCounts() const {
  if (!origin_) return;
  for (int i = 0; i < count; ++i) {
    if (!IsBorrowed(i)) __builtin_prefetch(slots()[i].item(), kPrefetchToWrite);
  }
}

// Copies `n` slots behind the existing slots, without changing the counts of their items.
void MapLeaf::AppendSlots(const Slot* from, int n) {
  assert(count + n <= capacity);
  std::memcpy(mutable_slots() + count, from, sizeof(Slot) * n);
  count = static_cast<std::uint16_t>(count + n);
}

// Returns a reference to the item of a slot that is about to be overwritten: the leaf's own
// reference, or a new one when the item is borrowed.
ItemRef MapLeaf::TakeItem(int at) {
  const Item* item = slots()[at].item();
  if (!IsBorrowed(at)) return ItemRef::Adopt(item);
  borrowed_ &= ~(std::uint64_t{1} << at);
  return ItemRef::Share(item);
}

// Called after each change of the leaf. Drops the origin when nobody else holds it, when too many
// of its items are not borrowed any more, or when nothing is borrowed.
void MapLeaf::DropOriginIfDue(DroppedNodes* dropped) {
  if (!origin_) return;
  if (origin_->has_one_owner()) {
    InheritOrigin(dropped);
  } else if (origin_->count - std::popcount(borrowed_) > kMaxUnborrowed || borrowed_ == 0) {
    BorrowNothing(dropped);
  }
}

// Drops the origin, which only this leaf still holds. The leaf takes over the origin's references
// to the borrowed items; the references to the other items stay in the origin and are released with
// it. The slots of leaf and origin are in the same order.
void MapLeaf::InheritOrigin(DroppedNodes* dropped) {
  auto* origin = const_cast<MapLeaf*>(std::exchange(origin_, nullptr));
  std::uint64_t borrowed = std::exchange(borrowed_, 0);
  int rest = 0;
  for (int i = 0; i < origin->count; ++i) {
    const Slot slot = origin->slots()[i];
    if (borrowed && slots()[std::countr_zero(borrowed)].item() == slot.item()) {
      borrowed &= borrowed - 1;
    } else {
      origin->mutable_slots()[rest++] = slot;
    }
  }
  assert(borrowed == 0);
  origin->count = static_cast<std::uint16_t>(rest);
  Drop(Ref<const MapNode>::Adopt(origin), dropped);
}

// Adds a reference to each borrowed item and drops the origin. The counts are fetched together, as
// otherwise each increment would wait for memory.
void MapLeaf::BorrowNothing(DroppedNodes* dropped) {
  if (!origin_) return;
  for (std::uint64_t left = borrowed_; left; left &= left - 1) {
    __builtin_prefetch(slots()[std::countr_zero(left)].item(), kPrefetchToWrite);
  }
  for (; borrowed_; borrowed_ &= borrowed_ - 1) {
    slots()[std::countr_zero(borrowed_)].item()->AddRef();
  }
  Drop(Ref<const MapNode>::Adopt(std::exchange(origin_, nullptr)), dropped);
}

int MapLeaf::CountToFree() const {
  constexpr int kPageShift = 12;
  int freed = origin_ && origin_->has_one_owner() ? origin_->CountToFree() : 0;
  for (int i = 0; i < count; ++i) {
    if (!IsBorrowed(i))
      freed += 1 + static_cast<int>(slots()[i].item()->size_bytes() >> kPageShift);
  }
  return freed;
}

void MapLeaf::ReleaseItems() const {
  for (int i = 0; i < count; ++i) {
    if (!IsBorrowed(i)) slots()[i].item()->Release();
  }
  if (origin_) origin_->Release();
}

}  // namespace hashrange
