#include "engine/table.h"

#include <utility>

#include "base/memory/memory_reserve.h"

namespace hashrange {

Partition& Index::MakePartition(int number) {
  if (Partition* there = partitions_.Find(number)) return *there;
  auto made = std::make_unique<Partition>(order());
  if (is_vector()) made->vectors = std::make_unique<CountedVectors>(dimensions_);
  return *partitions_.Publish(number, std::move(made));
}

// The partition is made under `making_`, so that no partition is made while an Exclusive lives.
Partition& Table::MakePartition(int number) {
  if (Partition* there = partitions_.Find(number)) return *there;
  MutexLock lock(making_);
  if (Partition* there = partitions_.Find(number)) return *there;
  auto made = std::make_unique<Partition>(order());
  made->local_indexes.reserve(local_indexes_.size());
  for (const auto& index : local_indexes_) made->local_indexes.emplace_back(index->order());
  return *partitions_.Publish(number, std::move(made));
}

void Table::MakeIndexes(TableVersion& version, const TableVersion* current) {
  MutexLock lock(making_);
  for (IndexVersion& index : version.indexes) {
    if (index.storage) continue;
    if (const IndexVersion* same = current ? current->FindIndex(index.schema.name) : nullptr) {
      index.id = same->id;
      index.storage = same->storage;
      continue;
    }
    index.id = next_index_id_++;
    const int ordinal = index.schema.is_local ? static_cast<int>(local_indexes_.size()) : -1;
    index.storage = std::allocate_shared<Index>(ReservedAllocator<Index, MemoryPart::kTables>(),
                                                reclaimer_, key_, index.schema, index.id, ordinal);
    if (index.schema.is_local) local_indexes_.push_back(index.storage);
  }
}

Table::Exclusive::Exclusive(Table& table) : table_(table), no_new_partition_(table.making_) {
  for (int number = 0; number < PartitionSet::kPartitions; ++number) {
    if (Partition* partition = table_.partitions_.Find(number)) partition->mutex.lock();
  }
}

Table::Exclusive::~Exclusive() {
  for (int number = PartitionSet::kPartitions - 1; number >= 0; --number) {
    if (Partition* partition = table_.partitions_.Find(number)) partition->mutex.unlock();
  }
}

}  // namespace hashrange
