#include "engine/table_pin.h"

#include <utility>

#include "engine/table.h"

namespace hashrange {
namespace {

PinnedMap PinMap(const CountedMap& map) { return {map.map.Pin(), map.item_count, map.size_bytes}; }

void StartMapFrom(const PinnedMap& pin, CountedMap* map) {
  map->map.StartFrom(pin.root);
  map->item_count = pin.item_count;
  map->size_bytes = pin.size_bytes;
}

// Returns the map of an index in partition `number`, or null when the partition does not exist.
const CountedMap* FindMap(const Table& table, const Index& index, int number) {
  if (index.is_local()) {
    const Partition* partition = table.partitions().Find(number);
    return partition ? &partition->local_indexes[index.local_ordinal()] : nullptr;
  }
  const Partition* partition = index.partitions().Find(number);
  return partition ? &partition->items : nullptr;
}

CountedMap& MakeMap(Table& table, Index& index, int number) {
  if (index.is_local()) return table.MakePartition(number).local_indexes[index.local_ordinal()];
  return index.MakePartition(number).items;
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
      const CountedMap* map = FindMap(table, *version->indexes[i].storage, number);
      if (map) pin.indexes[i][number] = PinMap(*map);
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
      const PinnedMap& map = pin.indexes[i][number];
      if (map.root) StartMapFrom(map, &MakeMap(table, *index->storage, number));
    }
  }
}

}  // namespace hashrange
