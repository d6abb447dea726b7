#include "engine/map/vector_map.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/checksums.h"
#include "base/memory/memory_reserve.h"

namespace hashrange {
namespace {

using Kind = VectorNode::Kind;

constexpr std::size_t kRowAlign = 64;
constexpr int kHashBits = 64;
// The capacity of the first chunk of a group.
constexpr std::size_t kFirstCapacity = 2;

bool BitOf(std::uint64_t hash, int depth) { return hash >> (kHashBits - 1 - depth) & 1; }

void Drop(VectorRoot node, DroppedVectorNodes* dropped) noexcept {
  try {
    dropped->push_back(std::move(node));
  } catch (const std::bad_alloc&) {
    // The node is released at once.
  }
}

struct InnerNode : VectorNode {
  InnerNode() : VectorNode(Kind::kInner) {}
  VectorNode* children[2] = {nullptr, nullptr};  // each owns a reference, or is null
};

struct GroupNode : VectorNode {
  explicit GroupNode(std::uint64_t group_hash) : VectorNode(Kind::kGroup), hash(group_hash) {}
  const std::uint64_t hash;
  VectorNode* rows = nullptr;  // owns a reference; null only while it is made or about to be erased
};

// header · hash, item, measures × capacity · coarse copy × capacity · row × capacity
class ChunkNode : public VectorNode {
 public:
  static std::size_t BytesOf(std::size_t capacity, int dimensions) {
    return sizeof(ChunkNode) + 2 * kRowAlign + capacity * VectorRowBytes(dimensions);
  }
  // The most rows that a chunk may have.
  static std::size_t MostRows(int dimensions) {
    const std::size_t room = kMaxChunkBytes - BytesOf(0, dimensions);
    return std::max<std::size_t>(1, room / VectorRowBytes(dimensions));
  }
  static ChunkNode* Make(std::size_t capacity, int dimensions);
  void ReleaseItems() const {
    for (std::size_t i = 0; i < count_; ++i) items()[i]->Release();
  }

  std::size_t count() const { return count_; }
  std::size_t capacity() const { return capacity_; }
  int dimensions() const { return dimensions_; }
  std::size_t stride() const { return RowStride(dimensions_); }
  const std::uint64_t* hashes() const { return At<const std::uint64_t>(sizeof(ChunkNode)); }
  const Item* const* items() const {
    return At<const Item* const>(sizeof(ChunkNode) + capacity_ * sizeof(std::uint64_t));
  }
  const RowMeasures* measures() const {
    return At<const RowMeasures>(sizeof(ChunkNode) +
                                 capacity_ * (sizeof(std::uint64_t) + sizeof(const Item*)));
  }
  const std::int8_t* coarse() const { return coarse_; }
  const float* rows() const { return rows_; }
  RowBlock block() const { return {rows_, coarse_, measures(), count_}; }

  // Returns the index of the row, or −1.
  int Find(const RowAddress& address) const;
  // Adds a row; there is room. Takes over a reference to the item.
  void Append(std::uint64_t hash, const Item* item, const float* floats);
  void AppendRowOf(const ChunkNode& other, std::size_t at);
  // Exchanges the item, and the floats unless `floats` is null. Returns the item that was there.
  ItemRef Replace(std::size_t at, const Item* item, const float* floats);
  ItemRef Remove(std::size_t at);
  // Returns a chunk with the same rows and room for `capacity`.
  ChunkNode* Copy(std::size_t capacity) const;

 private:
  ChunkNode(std::size_t capacity, int dimensions)
      : VectorNode(Kind::kChunk),
        dimensions_(static_cast<std::uint16_t>(dimensions)),
        capacity_(static_cast<std::uint32_t>(capacity)) {}

  template <typename T>
  T* At(std::size_t offset) const {
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(this) + offset);
  }
  std::uint64_t* mutable_hashes() { return const_cast<std::uint64_t*>(hashes()); }
  const Item** mutable_items() { return const_cast<const Item**>(items()); }
  RowMeasures* mutable_measures() { return const_cast<RowMeasures*>(measures()); }
  void SetRow(std::size_t at, const float* floats);
  // Copies all of a row, which may be in another chunk or in this one.
  void CopyRow(std::size_t to, const ChunkNode& other, std::size_t at);

  const std::uint16_t dimensions_;
  const std::uint32_t capacity_;
  std::uint32_t count_ = 0;
  std::int8_t* coarse_ = nullptr;
  float* rows_ = nullptr;
};

const InnerNode* AsInner(const VectorNode* node) { return static_cast<const InnerNode*>(node); }
InnerNode* AsInner(VectorNode* node) { return static_cast<InnerNode*>(node); }
const GroupNode* AsGroup(const VectorNode* node) { return static_cast<const GroupNode*>(node); }
GroupNode* AsGroup(VectorNode* node) { return static_cast<GroupNode*>(node); }
const ChunkNode* AsChunk(const VectorNode* node) { return static_cast<const ChunkNode*>(node); }
ChunkNode* AsChunk(VectorNode* node) { return static_cast<ChunkNode*>(node); }

template <typename Node, typename... Arguments>
Node* MakeNode(Arguments... arguments) {
  return new (AllocateReserved(MemoryPart::kVectors, sizeof(Node))) Node(arguments...);
}

ChunkNode* ChunkNode::Make(std::size_t capacity, int dimensions) {
  void* const memory = AllocateReserved(MemoryPart::kVectors, BytesOf(capacity, dimensions));
  auto* const chunk = new (memory) ChunkNode(capacity, dimensions);
  const auto aligned = [](std::uintptr_t address) {
    return (address + kRowAlign - 1) / kRowAlign * kRowAlign;
  };
  const std::uintptr_t coarse =
      aligned(reinterpret_cast<std::uintptr_t>(chunk->measures() + capacity));
  chunk->coarse_ = reinterpret_cast<std::int8_t*>(coarse);
  chunk->rows_ = reinterpret_cast<float*>(aligned(coarse + capacity * RowStride(dimensions)));
  return chunk;
}

int ChunkNode::Find(const RowAddress& address) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (hashes()[i] == address.row && items()[i]->key() == address.key) return static_cast<int>(i);
  }
  return -1;
}

void ChunkNode::SetRow(std::size_t at, const float* floats) {
  std::memcpy(rows_ + at * stride(), floats, stride() * sizeof(float));
  mutable_measures()[at] = MakeCoarse(floats, dimensions_, coarse_ + at * stride());
}

void ChunkNode::CopyRow(std::size_t to, const ChunkNode& other, std::size_t at) {
  mutable_hashes()[to] = other.hashes()[at];
  mutable_items()[to] = other.items()[at];
  mutable_measures()[to] = other.measures()[at];
  std::memcpy(coarse_ + to * stride(), other.coarse_ + at * stride(), stride());
  std::memcpy(rows_ + to * stride(), other.rows_ + at * stride(), stride() * sizeof(float));
}

void ChunkNode::Append(std::uint64_t hash, const Item* item, const float* floats) {
  assert(count_ < capacity_);
  const std::size_t at = count_++;
  mutable_hashes()[at] = hash;
  mutable_items()[at] = item;
  SetRow(at, floats);
}

void ChunkNode::AppendRowOf(const ChunkNode& other, std::size_t at) {
  other.items()[at]->AddRef();
  CopyRow(count_++, other, at);
}

ItemRef ChunkNode::Replace(std::size_t at, const Item* item, const float* floats) {
  ItemRef old = ItemRef::Adopt(mutable_items()[at]);
  mutable_items()[at] = item;
  if (floats) SetRow(at, floats);
  return old;
}

ItemRef ChunkNode::Remove(std::size_t at) {
  ItemRef old = ItemRef::Adopt(mutable_items()[at]);
  const std::size_t last = --count_;
  if (at != last) CopyRow(at, *this, last);
  return old;
}

ChunkNode* ChunkNode::Copy(std::size_t capacity) const {
  ChunkNode* const copy = Make(capacity, dimensions_);
  for (std::size_t i = 0; i < count_; ++i) copy->AppendRowOf(*this, i);
  return copy;
}

VectorNode* Shared(VectorNode* node) {
  if (node) node->AddRef();
  return node;
}

// Makes `*node`, which is no chunk, a node with one owner. All nodes above it have one owner.
void MakeOwned(VectorNode** node, DroppedVectorNodes* dropped) {
  if ((*node)->has_one_owner()) return;
  VectorNode* copy;
  if ((*node)->kind == Kind::kInner) {
    auto* const inner = MakeNode<InnerNode>();
    for (int i = 0; i < 2; ++i) inner->children[i] = Shared(AsInner(*node)->children[i]);
    copy = inner;
  } else {
    auto* const group = MakeNode<GroupNode>(AsGroup(*node)->hash);
    group->rows = Shared(AsGroup(*node)->rows);
    copy = group;
  }
  Drop(VectorRoot::Adopt(std::exchange(*node, copy)), dropped);
}

// Replaces the chunk at `*node` with its copy of another capacity.
void ReplaceChunk(VectorNode** node, std::size_t capacity, DroppedVectorNodes* dropped) {
  VectorNode* const copy = AsChunk(*node)->Copy(capacity);
  Drop(VectorRoot::Adopt(std::exchange(*node, copy)), dropped);
}

// Puts an inner node in place of the chunk at `*node`, and divides the rows by their next bit.
void SplitChunk(VectorNode** node, int depth, DroppedVectorNodes* dropped) {
  const ChunkNode& whole = *AsChunk(*node);
  auto* const inner = MakeNode<InnerNode>();
  std::size_t ones = 0;
  for (std::size_t i = 0; i < whole.count(); ++i) ones += BitOf(whole.hashes()[i], depth) ? 1 : 0;
  if (ones == 0 || ones == whole.count()) {
    // The rows stay together under one more inner node.
    inner->children[ones == 0 ? 0 : 1] = std::exchange(*node, inner);
    return;
  }
  ChunkNode* halves[2];
  for (int i = 0; i < 2; ++i) {
    halves[i] = ChunkNode::Make(whole.capacity(), whole.dimensions());
    inner->children[i] = halves[i];
  }
  for (std::size_t i = 0; i < whole.count(); ++i) {
    halves[BitOf(whole.hashes()[i], depth) ? 1 : 0]->AppendRowOf(whole, i);
  }
  Drop(VectorRoot::Adopt(std::exchange(*node, inner)), dropped);
}

// Returns the place of the group with that hash in the tree at `*root`. A group that is not there
// is made, without rows. The nodes above the place, and the group, have one owner afterwards.
VectorNode** OwnGroup(VectorNode** root, std::uint64_t hash, DroppedVectorNodes* dropped) {
  VectorNode** at = root;
  int depth = 0;
  while (true) {
    if (!*at) {
      *at = MakeNode<GroupNode>(hash);
      return at;
    }
    if ((*at)->kind == Kind::kGroup) {
      const std::uint64_t other = AsGroup(*at)->hash;
      if (other == hash) break;
      auto* const inner = MakeNode<InnerNode>();
      inner->children[BitOf(other, depth) ? 1 : 0] = std::exchange(*at, inner);
    }
    MakeOwned(at, dropped);
    at = &AsInner(*at)->children[BitOf(hash, depth++) ? 1 : 0];
  }
  MakeOwned(at, dropped);
  return at;
}

// Returns the group with that hash, or null.
const GroupNode* FindGroup(const VectorNode* root, std::uint64_t hash) {
  int depth = 0;
  while (root && root->kind == Kind::kInner) {
    root = AsInner(root)->children[BitOf(hash, depth++) ? 1 : 0];
  }
  return root && AsGroup(root)->hash == hash ? AsGroup(root) : nullptr;
}

// Returns the chunk that the row is in or would be in, or null.
const ChunkNode* FindChunk(const GroupNode& group, std::uint64_t row) {
  const VectorNode* node = group.rows;
  for (int depth = 0; node && node->kind == Kind::kInner; ++depth) {
    node = AsInner(node)->children[BitOf(row, depth) ? 1 : 0];
  }
  return node ? AsChunk(node) : nullptr;
}

bool Contains(const VectorNode* root, const RowAddress& address) {
  const GroupNode* const group = FindGroup(root, address.group);
  const ChunkNode* const chunk = group ? FindChunk(*group, address.row) : nullptr;
  return chunk && chunk->Find(address) >= 0;
}

// Erases one row, which exists.
class Eraser {
 public:
  Eraser(const RowAddress& address, DroppedVectorNodes* dropped)
      : address_(address), dropped_(dropped) {}

  // `*node` has the row below it, and all nodes above it have one owner. `depth`: of the node in
  // the tree of groups or, if `in_group`, of rows. Returns the row's item. Recursive, once a level.
  ItemRef EraseBelow(VectorNode** node, int depth, bool in_group) {
    if ((*node)->kind == Kind::kChunk) return EraseInChunk(node);
    MakeOwned(node, dropped_);
    if ((*node)->kind == Kind::kGroup) {
      ItemRef item = EraseBelow(&AsGroup(*node)->rows, 0, true);
      if (!AsGroup(*node)->rows) DropNode(node);
      return item;
    }
    const std::uint64_t hash = in_group ? address_.row : address_.group;
    VectorNode** const child = &AsInner(*node)->children[BitOf(hash, depth) ? 1 : 0];
    ItemRef item = EraseBelow(child, depth + 1, in_group);
    Shrink(node);
    return item;
  }

 private:
  void DropNode(VectorNode** node, VectorNode* put = nullptr) {
    Drop(VectorRoot::Adopt(std::exchange(*node, put)), dropped_);
  }

  ItemRef EraseInChunk(VectorNode** node) {
    if (!(*node)->has_one_owner()) ReplaceChunk(node, AsChunk(*node)->capacity(), dropped_);
    ChunkNode* const chunk = AsChunk(*node);
    ItemRef item = chunk->Remove(static_cast<std::size_t>(chunk->Find(address_)));
    if (chunk->count() == 0) DropNode(node);
    return item;
  }

  // An inner node without children is dropped. A chunk or a group may be anywhere on the path of
  // its bits, so it takes the place of an inner node that has no other child. An inner node may
  // not: its depth says by which bit it divides.
  void Shrink(VectorNode** node) {
    VectorNode*(&children)[2] = AsInner(*node)->children;
    if (!children[0] && !children[1]) return DropNode(node);
    if (children[0] && children[1]) return JoinChunks(node);
    VectorNode*& only = children[0] ? children[0] : children[1];
    if (only->kind != Kind::kInner) DropNode(node, std::exchange(only, nullptr));
  }

  // Two chunks that fill less than half of one become one. An Erase joins chunks once at most.
  void JoinChunks(VectorNode** node) {
    VectorNode*(&children)[2] = AsInner(*node)->children;
    if (has_joined_ || children[0]->kind != Kind::kChunk || children[1]->kind != Kind::kChunk) {
      return;
    }
    const ChunkNode &first = *AsChunk(children[0]), &second = *AsChunk(children[1]);
    const std::size_t rows = first.count() + second.count();
    const std::size_t most = ChunkNode::MostRows(first.dimensions());
    if (2 * rows > most) return;
    ChunkNode* const both = first.Copy(std::min(most, 2 * rows));
    for (std::size_t i = 0; i < second.count(); ++i) both->AppendRowOf(second, i);
    DropNode(node, both);
    has_joined_ = true;
  }

  const RowAddress& address_;
  DroppedVectorNodes* const dropped_;
  bool has_joined_ = false;
};

// Calls `visit(child)` for each child of an inner node or a group, the last one first.
template <typename Visit>
void ForEachChild(const VectorNode& node, Visit&& visit) {
  if (node.kind == Kind::kGroup) return visit(AsGroup(&node)->rows);
  for (const int i : {1, 0}) {
    if (const VectorNode* const child = AsInner(&node)->children[i]) visit(child);
  }
}

class InvariantCheck {
 public:
  explicit InvariantCheck(int dimensions) : dimensions_(dimensions) {}
  const std::string& problem() const { return problem_; }

  // `path`: the bits of the path in the tree of groups or, below `group`, of rows.
  void Visit(const VectorNode& node, std::uint64_t path, int depth, const GroupNode* group) {
    if (node.kind == Kind::kChunk) return VisitChunk(*AsChunk(&node), path, depth, group);
    if (node.kind == Kind::kGroup) {
      const GroupNode& found = *AsGroup(&node);
      if (group) return Note("a group is below a group");
      if (!IsOnPath(found.hash, path, depth)) Note("a group is not on the path of its hash");
      if (!found.rows) return Note("a group has no rows");
      return Visit(*found.rows, 0, 0, &found);
    }
    const VectorNode* const* const children = AsInner(&node)->children;
    if (!children[0] && !children[1]) return Note("an inner node has no child");
    if (depth == kHashBits) return Note("an inner node is deeper than a hash has bits");
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t bit = static_cast<std::uint64_t>(i) << (kHashBits - 1 - depth);
      if (children[i]) Visit(*children[i], path | bit, depth + 1, group);
    }
  }

 private:
  static bool IsOnPath(std::uint64_t hash, std::uint64_t path, int depth) {
    return depth == 0 || (hash ^ path) >> (kHashBits - depth) == 0;
  }
  void Note(const char* problem) {
    if (problem_.empty()) problem_ = problem;
  }
  void VisitChunk(const ChunkNode& chunk, std::uint64_t path, int depth, const GroupNode* group) {
    if (!group) Note("a chunk is in no group");
    if (chunk.count() == 0) Note("a chunk has no rows");
    if (chunk.count() > chunk.capacity()) Note("a chunk has more rows than room");
    if (chunk.dimensions() != dimensions_) Note("a chunk has other dimensions");
    for (const void* const begin :
         {static_cast<const void*>(chunk.coarse()), static_cast<const void*>(chunk.rows())}) {
      if (reinterpret_cast<std::uintptr_t>(begin) % kRowAlign != 0) Note("rows lie askew");
    }
    std::vector<std::int8_t> coarse(chunk.stride());
    for (std::size_t i = 0; i < chunk.count(); ++i) {
      if (!IsOnPath(chunk.hashes()[i], path, depth)) Note("a row is not on the path of its hash");
      const std::size_t at = i * chunk.stride();
      if (chunk.measures()[i] != MakeCoarse(chunk.rows() + at, dimensions_, coarse.data())) {
        Note("a row has other measures");
      }
      if (std::memcmp(coarse.data(), chunk.coarse() + at, chunk.stride()) != 0) {
        Note("a row has another coarse copy");
      }
    }
  }

  const int dimensions_;
  std::string problem_;
};

}  // namespace

void VectorNode::Free(const VectorNode* node) {
  switch (node->kind) {
    case Kind::kInner:
      for (const VectorNode* child : AsInner(node)->children) {
        if (child) child->Release();
      }
      break;
    case Kind::kGroup:
      if (AsGroup(node)->rows) AsGroup(node)->rows->Release();
      break;
    case Kind::kChunk:
      AsChunk(node)->ReleaseItems();
      break;
  }
  FreeReserved(MemoryPart::kVectors, const_cast<VectorNode*>(node));
}

// Keys with equal MD5 are easily made, and keys with equal products too, but not keys with both.
std::uint64_t RowHash(std::string_view item_key) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t product = item_key.size();
  for (const char byte : item_key) {
    product = (product ^ static_cast<unsigned char>(byte)) * kOdd;
    product ^= product >> 29;
  }
  return Md5High64(item_key, {}) ^ product;
}

VectorMap::~VectorMap() {
  if (root_) root_->Release();
}

ItemRef VectorMap::Put(const RowAddress& address, ItemRef item, const float* floats,
                       DroppedVectorNodes* dropped) {
  if (!floats && !Contains(root_, address)) return nullptr;
  VectorNode** at = &AsGroup(*OwnGroup(&root_, address.group, dropped))->rows;
  int depth = 0;
  while (true) {
    if (*at && (*at)->kind == Kind::kInner) {
      MakeOwned(at, dropped);
      at = &AsInner(*at)->children[BitOf(address.row, depth++) ? 1 : 0];
      continue;
    }
    const std::size_t most = ChunkNode::MostRows(dimensions_);
    if (!*at) *at = ChunkNode::Make(std::min(kFirstCapacity, most), dimensions_);
    ChunkNode* chunk = AsChunk(*at);
    const int found = chunk->Find(address);
    const bool is_full = found < 0 && chunk->count() == chunk->capacity();
    // Rows with the same hash cannot be divided: then a chunk becomes larger than `most`.
    if (is_full && chunk->capacity() >= most && depth < kHashBits) {
      SplitChunk(at, depth, dropped);
      continue;
    }
    if (is_full || !chunk->has_one_owner()) {
      std::size_t room = chunk->capacity();
      if (is_full) room = room < most ? std::min(2 * room, most) : 2 * room;
      ReplaceChunk(at, room, dropped);
      chunk = AsChunk(*at);
    }
    if (found >= 0) {
      return chunk->Replace(static_cast<std::size_t>(found), item.Detach(), floats);
    }
    chunk->Append(address.row, item.Detach(), floats);
    return nullptr;
  }
}

ItemRef VectorMap::Erase(const RowAddress& address, DroppedVectorNodes* dropped) {
  if (!Contains(root_, address)) return nullptr;
  return Eraser(address, dropped).EraseBelow(&root_, 0, false);
}

std::size_t VectorMap::MostBytesOfWrite() const {
  // A path has nodes for each bit of both hashes, and the group between. A Put divides a chunk into
  // two and copies one of these; an Erase copies a chunk and joins it with another.
  constexpr std::size_t kMostNodes = 2 * (kHashBits + 1), kMostChunks = 3;
  const std::size_t most_rows = ChunkNode::MostRows(dimensions_);
  return kMostNodes * ReservedBytes(std::max(sizeof(InnerNode), sizeof(GroupNode))) +
         kMostChunks * ReservedBytes(ChunkNode::BytesOf(most_rows, dimensions_));
}

VectorRoot VectorMap::PinGroup(std::uint64_t group) const {
  return VectorRoot::Share(FindGroup(root_, group));
}

int VectorMap::CountToFree(int limit) const {
  constexpr int kChunkAlone = 16;  // for its pages
  int count = 0;
  absl::InlinedVector<const VectorNode*, 2 * kHashBits> left;
  if (root_) left.push_back(root_);
  while (!left.empty() && count < limit) {
    const VectorNode* const node = left.back();
    left.pop_back();
    ++count;
    if (!node->has_one_owner()) continue;
    if (node->kind == Kind::kChunk) {
      count += kChunkAlone + static_cast<int>(AsChunk(node)->count());
    } else {
      ForEachChild(*node, [&](const VectorNode* child) { left.push_back(child); });
    }
  }
  return count;
}

std::string VectorMap::CheckInvariants() const {
  InvariantCheck check(dimensions_);
  if (root_) check.Visit(*root_, 0, 0, nullptr);
  return check.problem();
}

VectorReader::VectorReader(VectorRoot group) : group_(std::move(group)) {
  if (group_) left_.push_back(group_.get());
  next_ = NextChunk();
}

const VectorNode* VectorReader::NextChunk() {
  while (!left_.empty()) {
    const VectorNode* const node = left_.back();
    left_.pop_back();
    if (node->kind == Kind::kChunk) return node;
    ForEachChild(*node, [&](const VectorNode* child) { left_.push_back(child); });
  }
  return nullptr;
}

bool VectorReader::Next(VectorRows* rows) {
  if (!next_) return false;
  const ChunkNode& chunk = *AsChunk(next_);
  next_ = NextChunk();
  *rows = {.block = chunk.block(),
           .next = next_ ? AsChunk(next_)->block() : RowBlock{},
           .items = chunk.items()};
  return true;
}

}  // namespace hashrange
