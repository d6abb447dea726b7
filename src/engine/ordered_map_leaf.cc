// The leaves of an ordered map: which leaf owns the reference to an item, and which leaf borrows
// the item (ordered_map_node.h).
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

#include "engine/ordered_map_node.h"

namespace hashrange {
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
