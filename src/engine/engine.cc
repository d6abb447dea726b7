#include "engine/engine.h"

#include <cassert>
#include <map>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "base/threads.h"
#include "engine/map/partition.h"
#include "engine/table.h"

namespace hashrange {
namespace {

// Returns the partition of an address, or null when the partition was never written to.
Partition* FindPartition(const ItemAddress& address) {
  return address.table->table->partitions().Find(PartitionSet::NumberOf(address.position.hash));
}

// Locks the partitions of `addresses` that exist. A partition that does not exist when it is
// looked up has no items then. It still has no items when the others are locked, unless another
// thread has created it meanwhile, for a commit that may have written to the others as well. So the
// function looks again and returns false in that case; the caller unlocks and starts over.
bool LockExistingPartitions(std::span<const ItemAddress> addresses,
                            std::span<Partition*> partitions, std::span<PartitionLock> memory,
                            LockSet& locks) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    partitions[i] = FindPartition(addresses[i]);
    if (!partitions[i]) continue;
    memory[count++] = {addresses[i].table->table->id(), 0,
                       PartitionSet::NumberOf(addresses[i].position.hash), partitions[i]};
  }
  locks.Lock(memory.first(count));
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (!partitions[i] && FindPartition(addresses[i])) return false;
  }
  return true;
}

struct VectorStatistics {
  TableStatistics entries;
  std::int64_t value_bytes = 0;  // CountedVectors::value_bytes
};

VectorStatistics StatisticsOfVectors(const IndexVersion& index) {
  VectorStatistics sum;
  index.storage->partitions().ForEach([&](const Partition& partition) {
    MutexLock lock(partition.mutex);
    sum.entries.item_count += partition.vectors->item_count;
    sum.entries.size_bytes += partition.vectors->size_bytes;
    sum.value_bytes += partition.vectors->value_bytes;
  });
  return sum;
}

// Returns how many bytes less than as ordinary lists the table's indexed vectors count. Of several
// indexes of one attribute, the one with the most entries decides.
std::int64_t BytesSavedByVectors(const TableVersion& table) {
  struct Saved {
    std::int64_t entries = 0, bytes = 0;
  };
  std::map<std::string_view, Saved> by_attribute;
  for (const IndexVersion& index : table.indexes) {
    // A version that is only described may have an index without storage.
    if (!index.schema.vector || !index.storage) continue;
    const VectorStatistics vectors = StatisticsOfVectors(index);
    Saved& saved = by_attribute[index.schema.vector->attribute];
    if (vectors.entries.item_count <= saved.entries) continue;
    const std::int64_t floats = 4 * std::int64_t{index.schema.vector->dimensions};
    saved = {vectors.entries.item_count, vectors.value_bytes - vectors.entries.item_count * floats};
  }
  std::int64_t sum = 0;
  for (const auto& entry : by_attribute) sum += entry.second.bytes;
  return sum;
}

}  // namespace

void Engine::Read(std::span<const ItemAddress> addresses, std::span<ItemRef> items) const {
  assert(items.size() == addresses.size());
  for (ItemRef& item : items) item = nullptr;
  if (addresses.size() == 1) {
    const Partition* partition = FindPartition(addresses[0]);
    if (!partition) return;
    MutexLock lock(partition->mutex);
    items[0] = ItemRef::Share(partition->items.map.Find(addresses[0].position));
    return;
  }
  absl::InlinedVector<Partition*, 32> partitions(addresses.size());
  absl::InlinedVector<PartitionLock, 32> memory(addresses.size());
  LockSet locks;
  while (!LockExistingPartitions(addresses, {partitions.data(), partitions.size()},
                                 {memory.data(), memory.size()}, locks)) {
    locks.Unlock();
  }
  // All leaves are found first, then all items, so that memory that is not in the cache is fetched
  // for several addresses at once.
  absl::InlinedVector<const MapLeaf*, 32> leaves(addresses.size());
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (partitions[i]) leaves[i] = partitions[i]->items.map.FindLeaf(addresses[i].position);
  }
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (!leaves[i]) continue;
    items[i] =
        ItemRef::Share(partitions[i]->items.map.FindInLeaf(leaves[i], addresses[i].position));
    if (items[i]) items[i]->Prefetch();
  }
}

RangeReader Engine::Range(const TableVersion& table, const IndexVersion* index,
                          const Interval& interval, bool forward) const {
  RangeReader::Source source{&table.table->partitions(), -1, table.table->order()};
  if (index) {
    source.order = index->storage->order();
    source.local_ordinal = index->storage->local_ordinal();
    if (!index->storage->is_local()) source.partitions = &index->storage->partitions();
  }
  return RangeReader(source, interval, forward);
}

VectorReader Engine::Range(const IndexVersion& index, std::uint64_t group) const {
  const Partition* const partition =
      index.storage->partitions().Find(PartitionSet::NumberOf(group));
  if (!partition) return VectorReader(nullptr);
  VectorRoot rows;
  {
    MutexLock lock(partition->mutex);
    rows = partition->vectors->map.PinGroup(group);
  }
  return VectorReader(std::move(rows));
}

TableStatistics Engine::StatisticsOf(const TableVersion& table, const IndexVersion* index) const {
  if (index && index->schema.vector) return StatisticsOfVectors(*index).entries;
  const bool is_global = index && !index->storage->is_local();
  const PartitionSet& partitions =
      is_global ? index->storage->partitions() : table.table->partitions();
  TableStatistics sum;
  for (int number = 0; number < PartitionSet::kPartitions; ++number) {
    const Partition* partition = partitions.Find(number);
    if (!partition) continue;
    MutexLock lock(partition->mutex);
    const CountedMap& counted = index && !is_global
                                    ? partition->local_indexes[index->storage->local_ordinal()]
                                    : partition->items;
    sum.item_count += counted.item_count;
    sum.size_bytes += counted.size_bytes;
  }
  if (!index) sum.size_bytes -= BytesSavedByVectors(table);
  return sum;
}

}  // namespace hashrange
