#include "engine/table_pin.h"

#include <utility>

#include "engine/table.h"

namespace hashrange {
namespace {

PinnedMap PinMap(const CountedMap& map) {
  return {map.map.Pin(), nullptr, map.item_count, map.size_bytes, 0};
}
PinnedMap PinVectors(const CountedVectors& vectors) {
  return {nullptr, vectors.map.Pin(), vectors.item_count, vectors.size_bytes, vectors.value_bytes};
}

void StartMapFrom(const PinnedMap& pin, CountedMap* map) {
  map->map.StartFrom(pin.root);
  map->item_count = pin.item_count;
  map->size_bytes = pin.size_bytes;
}

void StartVectorsFrom(const PinnedMap& pin, CountedVectors* vectors) {
  vectors->map.StartFrom(pin.vectors);
  vectors->item_count = pin.item_count;
  vectors->size_bytes = pin.size_bytes;
  vectors->value_bytes = pin.value_bytes;
}

// Returns the content of an index in partition `number`; nothing when the partition does not exist.
PinnedMap PinIndex(const Table& table, const Index& index, int number) {
  const PartitionSet& partitions = index.is_local() ? table.partitions() : index.partitions();
  const Partition* const partition = partitions.Find(number);
  if (!partition) return {};
  if (index.is_local()) return PinMap(partition->local_indexes[index.local_ordinal()]);
  return partition->vectors ? PinVectors(*partition->vectors) : PinMap(partition->items);
}

void StartIndexFrom(const PinnedMap& pin, Table& table, Index& index, int number) {
  if (!pin.root && !pin.vectors) return;
  if (index.is_local()) {
    return StartMapFrom(pin, &table.MakePartition(number).local_indexes[index.local_ordinal()]);
  }
  Partition& partition = index.MakePartition(number);
  if (pin.vectors) return StartVectorsFrom(pin, partition.vectors.get());
  StartMapFrom(pin, &partition.items);
}

}  // namespace

// A commit that changes an index holds a partition of the index's table. All of these are locked,
// so no index changes meanwhile.
TablePin PinTable(TableRef version) {
  TablePin pin;
  const Table& table = *version->table;
  pin.indexes.resize(version->indexes.size());
  for (int number = 0; number < PartitionSet::kPartitions; ++number) {
    if (const Partition* base = table.partitions().Find(number))
      pin.items[number] = PinMap(base->items);
    for (std::size_t i = 0; i < pin.indexes.size(); ++i) {
      pin.indexes[i][number] = PinIndex(table, *version->indexes[i].storage, number);
    }
  }
  pin.version = std::move(version);
  return pin;
}

void StartFrom(const TablePin& pin, const TableVersion& version) {
  Table& table = *version.table;
  for (int number = 0; number < PartitionSet::kPartitions; ++number) {
    if (!pin.items[number].root) continue;
    StartMapFrom(pin.items[number], &table.MakePartition(number).items);
  }
  for (std::size_t i = 0; i < pin.indexes.size(); ++i) {
    const IndexVersion* index = version.FindIndex(pin.version->indexes[i].schema.name);
    if (!index) continue;
    for (int number = 0; number < PartitionSet::kPartitions; ++number) {
      StartIndexFrom(pin.indexes[i][number], table, *index->storage, number);
    }
  }
}

}  // namespace hashrange
