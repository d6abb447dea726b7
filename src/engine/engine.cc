#include "engine/engine.h"

#include <cassert>
#include <mutex>

#include "absl/container/inlined_vector.h"
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

}  // namespace

void Engine::Read(std::span<const ItemAddress> addresses, std::span<ItemRef> items) const {
  assert(items.size() == addresses.size());
  for (ItemRef& item : items) item = nullptr;
  if (addresses.size() == 1) {
    const Partition* partition = FindPartition(addresses[0]);
    if (!partition) return;
    std::lock_guard lock(partition->mutex);
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

TableStatistics Engine::StatisticsOf(const TableVersion& table, const IndexVersion* index) const {
  const bool is_global = index && !index->storage->is_local();
  const PartitionSet& partitions =
      is_global ? index->storage->partitions() : table.table->partitions();
  TableStatistics sum;
  for (int number = 0; number < PartitionSet::kPartitions; ++number) {
    const Partition* partition = partitions.Find(number);
    if (!partition) continue;
    std::lock_guard lock(partition->mutex);
    const CountedMap& counted = index && !is_global
                                    ? partition->local_indexes[index->storage->local_ordinal()]
                                    : partition->items;
    sum.item_count += counted.item_count;
    sum.size_bytes += counted.size_bytes;
  }
  return sum;
}

}  // namespace hashrange
