#include "engine/table_load.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/memory/arena.h"
#include "base/threads.h"
#include "engine/map/map_builder.h"
#include "engine/table.h"
#include "value/key.h"
#include "value/vector.h"

namespace hashrange {
namespace {

// Entries of an index, each with a reference to its item.
class Entries {
 public:
  Entries() = default;
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;
  ~Entries() {
    for (const Slot& slot : slots_) slot.item()->Release();
  }

  void Add(const Slot& slot, std::int64_t size_bytes) {
    slots_.push_back(slot);
    slot.item()->AddRef();
    size_bytes_ += size_bytes;
  }
  // Moves the entries of `other` behind the entries of this object.
  void Take(Entries* other) {
    slots_.insert(slots_.end(), other->slots_.begin(), other->slots_.end());
    size_bytes_ += other->size_bytes_;
    other->slots_ = {};
  }
  void Reserve(std::size_t count) { slots_.reserve(count); }
  std::size_t size() const { return slots_.size(); }

  // Moves the entries, in the order of `order`, into a map, which is empty.
  void MoveTo(const PositionOrder& order, CountedMap* map) noexcept;
  // Moves the entries of a vector index into a map, which is empty.
  void MoveTo(const VectorSchema& schema, const KeySchema& table, CountedVectors* vectors) noexcept;

 private:
  std::vector<Slot> slots_;
  std::int64_t size_bytes_ = 0;
};

// Sorts entries with the same hash. Each position is encoded only once.
void SortRun(const PositionOrder& order, std::span<Slot> run) {
  Arena arena;
  std::vector<std::pair<std::string_view, Slot>> keyed;
  keyed.reserve(run.size());
  for (const Slot& slot : run) {
    keyed.emplace_back(order.PositionOf(slot.item(), arena).bytes, slot);
  }
  std::ranges::sort(keyed, {}, &std::pair<std::string_view, Slot>::first);
  std::ranges::transform(keyed, run.begin(), &std::pair<std::string_view, Slot>::second);
}

void Entries::MoveTo(const PositionOrder& order, CountedMap* map) noexcept {
  const auto by_hash = [](const Slot& a, const Slot& b) { return a.hash < b.hash; };
  if (!std::ranges::is_sorted(slots_, by_hash)) std::ranges::sort(slots_, by_hash);
  for (auto begin = slots_.begin(); begin != slots_.end();) {
    const auto end = std::find_if(begin, slots_.end(),
                                  [&](const Slot& slot) { return slot.hash != begin->hash; });
    if (end - begin > 1) SortRun(order, {begin, end});
    begin = end;
  }
  MapBuilder builder(order);
  for (const Slot& slot : slots_) builder.Append(slot);
  map->map.StartFrom(builder.Finish());
  map->item_count = static_cast<std::int64_t>(slots_.size());
  map->size_bytes = size_bytes_;
  slots_ = {};
}

void Entries::MoveTo(const VectorSchema& schema, const KeySchema& table,
                     CountedVectors* vectors) noexcept {
  std::vector<float> floats(RowStride(schema.dimensions));
  DroppedVectorNodes dropped;
  for (const Slot& slot : slots_) {
    const Item* const item = slot.item();
    const ValueView value = *ItemView(table, item).Find(schema.attribute);
    ReadVector(value, floats);
    vectors->map.Put({slot.hash, RowHash(item->key()), item->key()}, ItemRef::Adopt(item),
                     floats.data(), &dropped);
    dropped.clear();
    vectors->value_bytes += static_cast<std::int64_t>(SizeBytes(value));
  }
  vectors->item_count = static_cast<std::int64_t>(slots_.size());
  vectors->size_bytes = size_bytes_;
  slots_ = {};
}

// Returns the hash and the digest of the item's entry in an index, or none when it has no entry.
struct EntryPlace {
  std::uint64_t hash = 0;
  std::uint16_t digest = 0;
};
std::optional<EntryPlace> PlaceOf(const IndexSchema& index, ItemView item, Arena& arena) {
  if (index.vector) {
    if (!HasVectorEntry(index, item)) return std::nullopt;
    return EntryPlace{IndexHash(index.key, item), 0};
  }
  const std::optional<Position> position = IndexPosition(index.key, item, arena);
  if (!position) return std::nullopt;
  return EntryPlace{position->hash, DigestOf(position->bytes)};
}

}  // namespace

// The items of one partition, and the entries of its items in the indexes.
struct TableLoad::Part {
  Part(const PositionOrder& order, std::size_t globals, std::size_t locals)
      : items(order), global(globals), local(locals) {}

  // The entries in each partition of a global index.
  using GlobalEntries = std::array<Entries, PartitionSet::kPartitions>;

  MapBuilder items;
  const Item* last = nullptr;  // a slot of `items` has a reference to it
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  std::vector<GlobalEntries> global;  // in the order of TableLoad::global_
  std::vector<Entries> local;         // in the order of TableLoad::local_
  Arena arena{4 << 10};
};

TableLoad::TableLoad(TableRef table) : table_(std::move(table)) {
  for (std::size_t i = 0; i < table_->indexes.size(); ++i) {
    const IndexVersion& index = table_->indexes[i];
    if (index.is_filling()) continue;
    (index.storage->is_local() ? local_ : global_).push_back(i);
  }
}

TableLoad::~TableLoad() = default;

bool TableLoad::Add(ItemRef item) {
  auto& part = parts_[static_cast<std::size_t>(PartitionSet::NumberOf(item->hash()))];
  if (!part) {
    part = std::make_unique<Part>(table_->table->order(), global_.size(), local_.size());
  }
  const Position position{item->hash(), item->key()};
  if (part->last && position <= Position{part->last->hash(), part->last->key()}) return false;
  const ItemView view(table_->key, item.get());
  const auto add_to = [&](const IndexVersion& index, auto entries_of) {
    part->arena.Reset();
    const std::optional<EntryPlace> entry = PlaceOf(index.schema, view, part->arena);
    if (!entry) return;
    entries_of(entry->hash)
        .Add(Slot(entry->hash, item.get(), entry->digest),
             static_cast<std::int64_t>(ProjectedSizeBytes(index.schema, view)));
  };
  for (std::size_t i = 0; i < global_.size(); ++i) {
    add_to(table_->indexes[global_[i]], [&](std::uint64_t hash) -> Entries& {
      return part->global[i][static_cast<std::size_t>(PartitionSet::NumberOf(hash))];
    });
  }
  for (std::size_t i = 0; i < local_.size(); ++i) {
    add_to(table_->indexes[local_[i]], [&](std::uint64_t) -> Entries& { return part->local[i]; });
  }
  part->items.Append(Slot(position.hash, item.get(), DigestOf(position.bytes)));
  part->last = item.Detach();
  ++part->item_count;
  part->size_bytes += part->last->size_bytes();
  return true;
}

int TableLoad::job_count() const {
  return PartitionSet::kPartitions * static_cast<int>(1 + global_.size());
}

void TableLoad::RunJob(int job) {
  const int number = job % PartitionSet::kPartitions;
  const int group = job / PartitionSet::kPartitions;
  if (group == 0) return MakeItems(number);
  MakeIndexPartition(static_cast<std::size_t>(group) - 1, number);
}

void TableLoad::MakeItems(int number) {
  Part* const part = parts_[static_cast<std::size_t>(number)].get();
  if (!part) return;
  Partition& partition = table_->table->MakePartition(number);
  MutexLock lock(partition.mutex);
  partition.items.map.StartFrom(part->items.Finish());
  partition.items.item_count = part->item_count;
  partition.items.size_bytes = part->size_bytes;
  for (std::size_t i = 0; i < local_.size(); ++i) {
    const Index& index = *table_->indexes[local_[i]].storage;
    part->local[i].MoveTo(index.order(), &partition.local_indexes[index.local_ordinal()]);
  }
}

void TableLoad::MakeIndexPartition(std::size_t index, int number) {
  Entries all;
  std::size_t count = 0;
  const auto entries_of = [&](Part& part) -> Entries& {
    return part.global[index][static_cast<std::size_t>(number)];
  };
  for (const auto& part : parts_) count += part ? entries_of(*part).size() : 0;
  if (count == 0) return;
  all.Reserve(count);
  for (const auto& part : parts_) {
    if (part) all.Take(&entries_of(*part));
  }
  const IndexVersion& version = table_->indexes[global_[index]];
  Index& storage = *version.storage;
  Partition& partition = storage.MakePartition(number);
  MutexLock lock(partition.mutex);
  if (version.schema.vector) {
    return all.MoveTo(*version.schema.vector, table_->key, partition.vectors.get());
  }
  all.MoveTo(storage.order(), &partition.items);
}

}  // namespace hashrange
