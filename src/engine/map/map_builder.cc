#include "engine/map/map_builder.h"

#include <algorithm>
#include <cassert>

namespace hashrange {

MapBuilder::~MapBuilder() {
  for (const Slot& slot : last_) slot.item()->Release();
  for (const MapNode* node : nodes_) node->Release();
  for (const Separator& separator : separators_) {
    if (separator.bytes) separator.bytes->Release();
  }
}

void MapBuilder::Append(Slot slot) {
  if (last_.size() == kLeafSlots) EndLeaf();
  last_.push_back(slot);
}

// All that may throw comes before the first change. Room is made for the separators first: room for
// a node then means that there is room for both.
void MapBuilder::EndLeaf() {
  if (nodes_.size() == nodes_.capacity()) {
    separators_.reserve(2 * nodes_.size() + 1);
    nodes_.reserve(2 * nodes_.size() + 1);
  }
  auto leaf = Ref<MapLeaf>::Adopt(MapLeaf::Make(static_cast<int>(last_.size())));
  if (!nodes_.empty()) {
    const MapLeaf* const before = AsLeaf(nodes_.back());
    separators_.push_back(
        SeparatorBetween(order_, before->slots()[before->count - 1], last_.front()));
  }
  DroppedNodes nothing;
  for (const Slot& slot : last_) leaf->Insert(leaf->count, slot, &nothing);
  last_.clear();
  nodes_.push_back(leaf.Detach());
}

MapRoot MapBuilder::Finish() noexcept {
  if (!last_.empty()) EndLeaf();
  for (int height = 1; nodes_.size() > 1; ++height) AddLevel(height);
  if (nodes_.empty()) return nullptr;
  MapNode* const root = nodes_.front();
  nodes_.clear();
  return MapRoot::Adopt(root);
}

void MapBuilder::AddLevel(int height) {
  assert(height < kMaxMapHeight);
  std::size_t parents = 0;
  for (std::size_t first = 0; first < nodes_.size(); first += kInnerChildren) {
    const std::size_t count = std::min<std::size_t>(kInnerChildren, nodes_.size() - first);
    MapInner* const parent = MapInner::Make(height);
    std::copy_n(nodes_.begin() + static_cast<std::ptrdiff_t>(first), count, parent->children);
    std::copy_n(separators_.begin() + static_cast<std::ptrdiff_t>(first), count - 1,
                parent->separators);
    parent->count = static_cast<std::uint16_t>(count);
    if (first > 0) separators_[parents - 1] = separators_[first - 1];
    nodes_[parents++] = parent;
  }
  nodes_.resize(parents);
  separators_.erase(separators_.begin() + static_cast<std::ptrdiff_t>(parents) - 1,
                    separators_.end());
}

}  // namespace hashrange
