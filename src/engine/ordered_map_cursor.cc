#include "engine/ordered_map_cursor.h"

#include <utility>

#include "engine/ordered_map_node.h"

namespace hashrange {

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
