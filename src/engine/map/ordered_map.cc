#include "engine/map/ordered_map.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "engine/map/ordered_map_node.h"

namespace hashrange {

OrderedMap::~OrderedMap() {
  if (root_) root_->Release();
}

const Item* OrderedMap::Find(const Position& position) const {
  const MapLeaf* leaf = FindLeaf(position);
  return leaf ? FindInLeaf(leaf, position) : nullptr;
}

const MapLeaf* OrderedMap::FindLeaf(const Position& position) const {
  const MapNode* node = root_;
  if (!node) return nullptr;
  while (node->height > 0) {
    const MapInner* inner = AsInner(node);
    node = inner->children[ChildIndex(inner, position)];
  }
  PrefetchSlots(AsLeaf(node));
  return AsLeaf(node);
}

const Item* OrderedMap::FindInLeaf(const MapLeaf* leaf, const Position& position) const {
  const int index = FindSlot(leaf, position, DigestOf(position.bytes), order_);
  return index < 0 ? nullptr : leaf->slots()[index].item();
}

void OrderedMap::Locate(const Position& position, Place* place) {
  place->hash_ = position.hash;
  place->digest_ = DigestOf(position.bytes);
  place->item_ = nullptr;
  place->depth_ = 0;
  MapNode* node = root_;
  if (!node) return;
  for (; node->height > 0; node = AsInner(node)->children[place->steps_[place->depth_++].index]) {
    place->steps_[place->depth_] = {node, ChildIndex(AsInner(node), position)};
  }
  const MapLeaf* leaf = AsLeaf(node);
  PrefetchSlots(leaf);
  int index = FindSlot(leaf, position, place->digest_, order_);
  if (index >= 0) {
    place->item_ = leaf->slots()[index].item();
  } else {
    bool found;
    index = SlotIndex(leaf, position, order_, &found);
  }
  place->steps_[place->depth_++] = {node, index};
  PrefetchCopies(*place);
}

// A write copies the shared nodes on its path; a node below a shared node is shared too. The copies
// increment the reference counts of children and items. The counts of all levels are fetched at
// once, while the write's function runs.
void OrderedMap::PrefetchCopies(const Place& place) {
  bool is_shared = false;
  for (int level = 0; level < place.depth_; ++level) {
    const MapNode* node = place.steps_[level].node;
    is_shared |= !node->has_one_owner();
    if (is_shared) PrefetchCounts(node);
  }
}

ItemRef OrderedMap::Put(const Position& position, ItemRef item, DroppedNodes* dropped) {
  Place place;
  Locate(position, &place);
  return PutAt(place, std::move(item), dropped);
}

ItemRef OrderedMap::Put(const Position& position, ItemRef item) {
  DroppedNodes dropped;
  return Put(position, std::move(item), &dropped);
}

ItemRef OrderedMap::Erase(const Position& position, DroppedNodes* dropped) {
  Place place;
  Locate(position, &place);
  return EraseAt(place, dropped);
}

ItemRef OrderedMap::Erase(const Position& position) {
  DroppedNodes dropped;
  return Erase(position, &dropped);
}

ItemRef OrderedMap::PutAt(Place& place, ItemRef item, DroppedNodes* dropped) {
  OwnPath(place, dropped);
  if (!place.item_) {
    InsertSlot(place, Slot(place.hash_, item.Detach(), place.digest_), dropped);
    return nullptr;
  }
  const Step& step = place.steps_[place.depth_ - 1];
  const Slot slot(place.hash_, item.Detach(), place.digest_);
  return AsLeaf(step.node)->Replace(step.index, slot, dropped);
}

ItemRef OrderedMap::EraseAt(Place& place, DroppedNodes* dropped) {
  if (!place.item_) return nullptr;
  OwnPath(place, dropped);
  const Step& step = place.steps_[place.depth_ - 1];
  ItemRef before = AsLeaf(step.node)->Remove(step.index, dropped);
  Rebalance(place, dropped);
  return before;
}

// ---- Copy on write ----

// Returns the node itself when it has one owner, else a copy, which the caller stores in its place.
// The caller's reference to the shared node is moved to `dropped`.
MapNode* OrderedMap::MakeOwned(MapNode* node, DroppedNodes* dropped) {
  if (node->has_one_owner()) return node;
  MapNode* copy;
  if (node->height == 0) {
    copy = AsLeaf(node)->Copy();
  } else {
    copy = AsInner(node)->Copy();
  }
  Drop(Ref<const MapNode>::Adopt(node), dropped);
  return copy;
}

// Works from the root down: the copy of a node adds references to the children, so that the child
// on the path is copied too.
void OrderedMap::OwnPath(Place& place, DroppedNodes* dropped) {
  for (int level = 0; level < place.depth_; ++level) {
    MapNode* node = place.steps_[level].node;
    MapNode* owned = MakeOwned(node, dropped);
    if (owned != node) Replace(place, level, owned);
  }
}

void OrderedMap::Replace(Place& place, int level, MapNode* node) {
  place.steps_[level].node = node;
  if (level == 0) {
    root_ = node;
  } else {
    const Step& above = place.steps_[level - 1];
    AsInner(above.node)->children[above.index] = node;
  }
}

// ---- Insertion ----

void OrderedMap::InsertSlot(Place& place, Slot slot, DroppedNodes* dropped) {
  if (place.depth_ == 0) {
    MapLeaf* leaf = MapLeaf::Make(1);
    leaf->Insert(0, slot, dropped);
    root_ = leaf;
    return;
  }
  const int level = place.depth_ - 1;
  MapLeaf* leaf = AsLeaf(place.steps_[level].node);
  if (leaf->count == kLeafSlots) {
    SplitLeaf(place, slot, dropped);
    return;
  }
  if (leaf->count == leaf->capacity) {
    leaf = leaf->Grow(leaf->count + 1);
    Replace(place, level, leaf);
  }
  leaf->Insert(place.steps_[level].index, slot, dropped);
}

// Returns whether the path down to `level` is at the right edge of the tree.
bool OrderedMap::IsAtRightEdge(const Place& place, int level) {
  for (int i = 0; i < level; ++i) {
    if (place.steps_[i].index != place.steps_[i].node->count - 1) return false;
  }
  return true;
}

void OrderedMap::SplitLeaf(Place& place, Slot slot, DroppedNodes* dropped) {
  const int level = place.depth_ - 1;
  MapLeaf* left = AsLeaf(place.steps_[level].node);
  const int at = place.steps_[level].index;
  MapLeaf* right;
  if (at == kLeafSlots && IsAtRightEdge(place, level)) {
    right = MapLeaf::Make(1);
    right->Insert(0, slot, dropped);
  } else {
    constexpr int kHalf = kLeafSlots / 2;
    right = MapLeaf::Make(kLeafSlots);
    left->MoveLastTo(right, kLeafSlots - kHalf, dropped);
    if (at <= kHalf) {
      left->Insert(at, slot, dropped);
    } else {
      right->Insert(at - kHalf, slot, dropped);
    }
  }
  const Separator separator =
      SeparatorBetween(order_, left->slots()[left->count - 1], right->slots()[0]);
  InsertChild(place, level - 1, separator, right);
}

// Inserts `child`, the new right neighbour of the node at `level` + 1.
void OrderedMap::InsertChild(Place& place, int level, Separator separator, MapNode* child) {
  for (; level >= 0; --level) {
    MapInner* left = AsInner(place.steps_[level].node);
    const int at = place.steps_[level].index;
    if (left->count < kInnerChildren) {
      left->InsertAfter(at, separator, child);
      return;
    }
    const bool append = at == kInnerChildren - 1 && IsAtRightEdge(place, level);
    MapInner* right = MapInner::Make(left->height);
    if (append) {
      // The parent gets the same separator.
      right->children[0] = child;
      right->count = 1;
    } else {
      constexpr int kHalf = kInnerChildren / 2;
      const Separator middle = left->separators[kHalf - 1];
      right->count = kInnerChildren - kHalf;
      std::copy(left->children + kHalf, left->children + kInnerChildren, right->children);
      std::copy(left->separators + kHalf, std::end(left->separators), right->separators);
      left->count = kHalf;
      if (at < kHalf) {
        left->InsertAfter(at, separator, child);
      } else {
        right->InsertAfter(at - kHalf, separator, child);
      }
      separator = middle;
    }
    child = right;
  }
  assert(root_->height + 2 <= kMaxMapHeight);
  MapInner* root = MapInner::Make(root_->height + 1);
  root->children[0] = root_;
  root->count = 1;
  root->InsertAfter(0, separator, child);
  root_ = root;
}

// ---- Erasure ----

// Restores the fill of the nodes on the path, after a slot was removed from the leaf at its end.
void OrderedMap::Rebalance(Place& place, DroppedNodes* dropped) {
  for (int level = place.depth_ - 1; level > 0; --level) {
    MapNode* node = place.steps_[level].node;
    if (node->count >= (node->height == 0 ? kLeafLow : kInnerLow)) break;
    MapInner* parent = AsInner(place.steps_[level - 1].node);
    if (parent->count == 1) {  // possible on the right edge only
      if (node->count > 0) break;
      node->Release();
      parent->count = 0;
      continue;
    }
    const int at = place.steps_[level - 1].index;
    const int left = at > 0 ? at - 1 : at;
    for (const int i : {left, left + 1}) {
      parent->children[i] = MakeOwned(parent->children[i], dropped);
    }
    BalanceNeighbours(parent, left, dropped);
  }
  LowerRoot(dropped);
}

// Merges two neighbours into one node, or moves entries until both have about the same size.
void OrderedMap::BalanceNeighbours(MapInner* parent, int left, DroppedNodes* dropped) {
  if (parent->height == 1) {
    BalanceLeaves(parent, left, dropped);
  } else {
    BalanceInners(parent, left);
  }
}

void OrderedMap::BalanceLeaves(MapInner* parent, int left, DroppedNodes* dropped) {
  MapLeaf* a = AsLeaf(parent->children[left]);
  MapLeaf* b = AsLeaf(parent->children[left + 1]);
  Separator& separator = parent->separators[left];
  const int total = a->count + b->count;
  const int keep = total <= kLeafSlots ? total : total / 2;
  if (keep > a->capacity) parent->children[left] = a = a->Grow(keep);
  if (total - keep > b->capacity) parent->children[left + 1] = b = b->Grow(total - keep);
  if (a->count < keep) {
    b->MoveFirstTo(a, keep - a->count, dropped);
  } else {
    a->MoveLastTo(b, a->count - keep, dropped);
  }
  if (separator.bytes) separator.bytes->Release();
  if (keep == total) {
    parent->RemoveAfter(left);
    b->Release();
  } else {
    separator = SeparatorBetween(order_, a->slots()[keep - 1], b->slots()[0]);
  }
}

void OrderedMap::BalanceInners(MapInner* parent, int left) {
  MapInner* a = AsInner(parent->children[left]);
  MapInner* b = AsInner(parent->children[left + 1]);
  // All children of both, with the separators between them; the separator of the parent is in the
  // middle.
  MapNode* children[2 * kInnerChildren];
  Separator separators[2 * kInnerChildren];
  std::copy_n(b->children, b->count, std::copy_n(a->children, a->count, children));
  if (a->count > 0) std::copy_n(a->separators, a->count - 1, separators);
  if (b->count > 0) std::copy_n(b->separators, b->count - 1, separators + a->count);
  if (a->count > 0) separators[a->count - 1] = parent->separators[left];
  const int total = a->count + b->count;
  const int keep = total <= kInnerChildren ? total : total / 2;
  const bool drops_separator = a->count == 0 || b->count == 0;

  if (drops_separator && parent->separators[left].bytes) parent->separators[left].bytes->Release();
  std::copy_n(children, keep, a->children);
  std::copy_n(separators, keep - 1, a->separators);
  a->count = static_cast<std::uint16_t>(keep);
  if (keep == total) {
    parent->RemoveAfter(left);
    b->count = 0;
    b->Release();
    return;
  }
  parent->separators[left] = separators[keep - 1];
  std::copy_n(children + keep, total - keep, b->children);
  std::copy_n(separators + keep, total - keep - 1, b->separators);
  b->count = static_cast<std::uint16_t>(total - keep);
}

void OrderedMap::LowerRoot(DroppedNodes* dropped) {
  while (root_->count == 0 || (root_->count == 1 && root_->height > 0)) {
    MapNode* top = MakeOwned(root_, dropped);  // a child that has become the root may be shared
    root_ = top->count == 0 ? nullptr : AsInner(top)->children[0];
    top->count = 0;
    top->Release();
    if (!root_) return;
  }
}

MapCursor::MapCursor(MapRoot root, const PositionOrder& order, const Interval& interval,
                     bool forward)
    : root_(std::move(root)), order_(order), interval_(interval), forward_(forward) {
  if (root_ && (!interval_.end || interval_.begin < *interval_.end)) Start();
}

const Item* MapCursor::Next() {
  if (index_ == limit_ && !AdvanceLeaf()) return nullptr;
  return leaf_->slots()[forward_ ? index_++ : --index_].item();
}

void MapCursor::Start() {
  const Position* start = nullptr;
  if (forward_) {
    start = &interval_.begin;
  } else if (interval_.end) {
    start = &*interval_.end;
  }
  const MapNode* node = root_.get();
  while (node->height > 0) {
    const MapInner* inner = AsInner(node);
    const int index = start ? ChildIndex(inner, *start) : inner->count - 1;
    steps_[depth_++] = {inner, index};
    node = inner->children[index];
  }
  leaf_ = AsLeaf(node);
  bool found;
  index_ = start ? SlotIndex(leaf_, *start, order_, &found) : leaf_->count;
  FindLimit();
}

bool MapCursor::AdvanceLeaf() {
  if (is_last_) return false;
  // Go up to the lowest node that has a next child in the direction of the walk, then down to that
  // child's first leaf in this direction.
  const int step = forward_ ? 1 : -1;
  int level = depth_ - 1;
  for (; level >= 0; --level) {
    const int index = steps_[level].index + step;
    if (index >= 0 && index < steps_[level].node->count) break;
  }
  if (level < 0) {
    is_last_ = true;
    return false;
  }
  steps_[level].index += step;
  const MapNode* node = steps_[level].node->children[steps_[level].index];
  while (++level < depth_) {
    const MapInner* inner = AsInner(node);
    steps_[level] = {inner, forward_ ? 0 : inner->count - 1};
    node = inner->children[steps_[level].index];
  }
  leaf_ = AsLeaf(node);
  index_ = forward_ ? 0 : leaf_->count;
  FindLimit();
  return index_ != limit_;
}

// Compares the leaf's last slot in the direction of the walk with the bound where the walk ends.
// Only a leaf that the bound divides is searched.
void MapCursor::FindLimit() {
  limit_ = forward_ ? leaf_->count : 0;
  is_last_ = false;
  const Position* bound = forward_ ? (interval_.end ? &*interval_.end : nullptr) : &interval_.begin;
  if (!bound) return;
  bool found;
  const Slot& far = leaf_->slots()[forward_ ? leaf_->count - 1 : 0];
  int compared = far.hash < bound->hash ? -1 : far.hash > bound->hash ? 1 : 0;
  if (compared == 0) compared = order_.Compare(far.item(), bound->bytes);
  if (forward_ ? compared < 0 : compared >= 0) {
    is_last_ = !forward_ && compared == 0;
    return;
  }
  is_last_ = true;
  limit_ = SlotIndex(leaf_, *bound, order_, &found);
}

}  // namespace hashrange
