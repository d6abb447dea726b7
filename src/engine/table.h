// Table and Index: the storage of a table's items and of its indexes' entries. All versions of
// a table share one Table, and one Index for each index (table_version.h); they are freed with the
// last version. Only the engine's own files use them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/threads.h"
#include "engine/map/ordered_map_node.h"
#include "engine/map/partition.h"
#include "engine/map/reclaimer.h"
#include "engine/table_version.h"
#include "value/schema.h"

namespace hashrange {

// The entries of an index. A global index has its own partitions, by the hash of its own key, and
// so has a vector index; without a HASH element it has one partition. The entries of a local index
// are in the partitions of its table, under its ordinal. Thread-safe.
class Index {
 public:
  // `local_ordinal`: the number of local indexes before it; −1 for any other index.
  Index(Reclaimer& reclaimer, const KeySchema& table, const IndexSchema& schema, std::uint32_t id,
        int local_ordinal)
      : reclaimer_(reclaimer),
        table_(table),
        key_(schema.key),
        id_(id),
        local_ordinal_(local_ordinal),
        dimensions_(schema.vector ? schema.vector->dimensions : 0) {}
  ~Index() { reclaimer_.Free(partitions_); }

  std::uint32_t id() const { return id_; }
  bool is_local() const { return local_ordinal_ >= 0; }
  bool is_vector() const { return dimensions_ > 0; }
  int local_ordinal() const { return local_ordinal_; }
  PositionOrder order() const { return {&table_, &key_}; }

  // The partitions of a global index or a vector index.
  const PartitionSet& partitions() const { return partitions_; }
  Partition& MakePartition(int number);

 private:
  Reclaimer& reclaimer_;
  const KeySchema table_;
  const KeySchema key_;
  const std::uint32_t id_;
  const int local_ordinal_;
  const int dimensions_;  // 0: this is no vector index
  PartitionSet partitions_;
};

// The items of a table, and which of its versions is the published one. Thread-safe.
class Table {
 public:
  // `reclaimer` outlives the table and its indexes.
  Table(Reclaimer& reclaimer, std::uint64_t id, const KeySchema& key)
      : reclaimer_(reclaimer), id_(id), key_(key) {}
  ~Table() { reclaimer_.Free(partitions_); }

  // Ids ascend in the order of creation. The lock order is first by this id.
  std::uint64_t id() const { return id_; }
  PositionOrder order() const { return {&key_, nullptr}; }

  const PartitionSet& partitions() const { return partitions_; }
  // Returns the partition, which is created if it does not exist. The caller holds no partition's
  // lock.
  Partition& MakePartition(int number);

  // Gives an Index to each index of `version` that has none: the Index of the same name in
  // `current`, the version before (null: there is none), or else a new Index with a new id.
  // Local indexes are created together with the table, never later. Nobody else uses `version`.
  void MakeIndexes(TableVersion& version, const TableVersion* current);

  // Returns whether `version` is the published one. The caller holds the lock of a partition.
  bool IsPublished(const TableVersion& version) const { return published_ == version.number; }

  // Locks every partition of the table and prevents that new ones are made. While an Exclusive
  // exists, no commit runs on its table.
  class Exclusive {
   public:
    explicit Exclusive(Table& table);
    ~Exclusive();
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

    // 0: the table is removed; every commit on it is stale.
    void SetPublished(std::uint64_t number) { table_.published_ = number; }

   private:
    Table& table_;
    MutexLock no_new_partition_;
  };

 private:
  Reclaimer& reclaimer_;
  const std::uint64_t id_;
  const KeySchema key_;
  PartitionSet partitions_;
  Mutex making_;  // taken before the locks of this table's partitions, or without them
  // The number of the published version. Written while `making_` and all partitions are locked;
  // read while any partition is locked.
  std::uint64_t published_ = 0;
  std::vector<std::shared_ptr<Index>> local_indexes_;  // guarded by `making_`
  std::uint32_t next_index_id_ = 1;                    // guarded by `making_`
};

}  // namespace hashrange
