// OrderedMap's check of its invariants and of its memory, for tests and measurements.
#include <string>

#include "base/memory/arena.h"
#include "engine/map/ordered_map.h"
#include "engine/map/ordered_map_node.h"

namespace hashrange {
namespace {

class Checker {
 public:
  explicit Checker(const PositionOrder& order) : order_(order) {}

  const std::string& failure() const { return failure_; }

  void Check(const MapNode* node, int height, bool is_root, bool is_right_edge) {
    if (!failure_.empty()) return;
    Expect(node->height == height, "a leaf at another depth");
    Expect(node->references.load() >= 1, "a node without an owner");
    const int least = is_right_edge ? 1 : height == 0 ? kLeafLow : kInnerLow;
    Expect(node->count >= (is_root && height > 0 ? 2 : least), "a node with too few entries");
    if (height == 0) {
      CheckLeaf(AsLeaf(node));
    } else {
      CheckInner(AsInner(node), is_right_edge);
    }
  }

 private:
  void Expect(bool holds, const char* what) {
    if (!holds && failure_.empty()) failure_ = what;
  }

  void CheckLeaf(const MapLeaf* leaf) {
    Expect(leaf->count <= leaf->capacity && leaf->capacity <= kLeafSlots, "an overfull leaf");
    CheckBorrowed(leaf);
    for (int i = 0; i < leaf->count; ++i) {
      Arena arena(1 << 10);
      const Slot& slot = leaf->slots()[i];
      const Position position = order_.PositionOf(slot.item(), arena);
      Expect(position.hash == slot.hash, "a slot with another item's hash");
      Expect(DigestOf(position.bytes) == slot.digest(), "a slot with another digest");
      Expect(!has_last_ || last() < position, "positions that do not ascend");
      Expect(!has_bound_ || bound() <= position, "a position below the separator to its left");
      last_hash_ = position.hash;
      last_bytes_ = position.bytes;
      has_last_ = true;
    }
  }

  void CheckBorrowed(const MapLeaf* leaf) {
    const MapLeaf* origin = leaf->origin();
    Expect(!origin || !origin->origin(), "an origin with an origin");
    int borrowed = 0, at = 0;
    for (int i = 0; i < leaf->count; ++i) {
      if (!leaf->IsBorrowed(i)) continue;
      ++borrowed;
      while (origin && at < origin->count && origin->slots()[at].item() != leaf->slots()[i].item())
        ++at;
      Expect(origin && at++ < origin->count, "a borrowed item that the origin does not have");
    }
    Expect(!origin || borrowed > 0, "an origin that nothing is borrowed from");
    Expect(!origin || origin->count - borrowed <= kMaxUnborrowed,
           "an origin of few borrowed items");
    for (int i = leaf->count; i < kLeafSlots; ++i) {
      Expect(!leaf->IsBorrowed(i), "a borrowed item that is not there");
    }
  }

  void CheckInner(const MapInner* inner, bool is_right_edge) {
    Expect(inner->count <= kInnerChildren, "an overfull inner node");
    for (int i = 0; i < inner->count; ++i) {
      const bool is_last = i + 1 == inner->count;
      Check(inner->children[i], inner->height - 1, false, is_right_edge && is_last);
      if (is_last || !failure_.empty()) return;
      bound_hash_ = inner->separators[i].hash;
      bound_bytes_ = inner->separators[i].view();
      has_bound_ = true;
      Expect(last() < bound(), "a position not below the separator to its right");
    }
  }

  Position last() const { return {last_hash_, last_bytes_}; }
  Position bound() const { return {bound_hash_, bound_bytes_}; }

  const PositionOrder order_;
  std::string failure_;
  bool has_last_ = false;
  bool has_bound_ = false;
  std::uint64_t last_hash_ = 0;
  std::uint64_t bound_hash_ = 0;
  std::string last_bytes_;
  std::string bound_bytes_;
};

std::size_t SubtreeBytes(const MapNode* node) {
  if (node->height == 0) {
    const MapLeaf* origin = AsLeaf(node)->origin();
    return sizeof(MapLeaf) + sizeof(Slot) * node->capacity + (origin ? SubtreeBytes(origin) : 0);
  }
  const MapInner* inner = AsInner(node);
  std::size_t bytes = sizeof(MapInner);
  for (int i = 0; i < inner->count; ++i) bytes += SubtreeBytes(inner->children[i]);
  for (int i = 0; i + 1 < inner->count; ++i) {
    if (inner->separators[i].bytes) {
      bytes += sizeof(SeparatorBytes) + inner->separators[i].view().size();
    }
  }
  return bytes;
}

}  // namespace

std::string OrderedMap::CheckInvariants() const {
  if (!root_) return {};
  Checker checker(order_);
  checker.Check(root_, root_->height, true, true);
  return checker.failure();
}

std::size_t OrderedMap::NodeBytes() const { return root_ ? SubtreeBytes(root_) : 0; }

}  // namespace hashrange
