// Table and Index: where the items of a table and the entries of its indexes are. Every
// version of a table shares one Table, and of an index one Index (table_version.h); the
// last version that is let go frees them. Only the engine's own files use them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/partition.h"
#include "engine/position_order.h"
#include "engine/reclaimer.h"
#include "engine/table_version.h"
#include "value/schema.h"

namespace hashrange {

// The entries of an index. A global one has partitions of its own, by its own hash; those
// of a local one are in its table's, under its ordinal. Thread-safe.
class Index {
 public:
  // `local_ordinal`: how many local indexes come before it; −1 for a global one.
  Index(Reclaimer& reclaimer, const KeySchema& table, const IndexSchema& schema, std::uint32_t id,
        int local_ordinal)
      : reclaimer_(reclaimer),
        table_(table),
        key_(schema.key),
        id_(id),
        local_ordinal_(local_ordinal) {}
  ~Index() { reclaimer_.Free(partitions_); }

  std::uint32_t id() const { return id_; }
  bool is_local() const { return local_ordinal_ >= 0; }
  int local_ordinal() const { return local_ordinal_; }
  PositionOrder order() const { return {&table_, &key_}; }

  // A global index's.
  const PartitionSet& partitions() const { return partitions_; }
  Partition& MakePartition(int number);

 private:
  Reclaimer& reclaimer_;
  const KeySchema table_;
  const KeySchema key_;
  const std::uint32_t id_;
  const int local_ordinal_;
  PartitionSet partitions_;
};

// The items of a table, and which of its versions is the published one. Thread-safe.
class Table {
 public:
  // `reclaimer` outlives the table and its indexes.
  Table(Reclaimer& reclaimer, std::uint64_t id, const KeySchema& key)
      : reclaimer_(reclaimer), id_(id), key_(key) {}
  ~Table() { reclaimer_.Free(partitions_); }

  // Numbers tables in the order of their creation: first in the order of locks.
  std::uint64_t id() const { return id_; }
  PositionOrder order() const { return {&key_, nullptr}; }

  const PartitionSet& partitions() const { return partitions_; }
  // The caller holds no partition's lock.
  Partition& MakePartition(int number);

  // Gives each index of `version` that has no Index yet the one of that name in `current`,
  // the version before it (null: there is none), or else one of its own with a new id.
  // Local indexes come with the table, never later. The caller has `version` to itself.
  void MakeIndexes(TableVersion& version, const TableVersion* current);

  // Whether `version` is the published one. The caller holds the lock of a partition.
  bool IsPublished(const TableVersion& version) const { return published_ == version.number; }

  // Every partition of the table locked, those to come included: no commit is under way.
  class Exclusive {
   public:
    explicit Exclusive(Table& table);
    ~Exclusive();
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

    // 0: the table is gone, every commit on it is stale.
    void SetPublished(std::uint64_t number) { table_.published_ = number; }

   private:
    Table& table_;
    std::lock_guard<std::mutex> no_new_partition_;
  };

 private:
  Reclaimer& reclaimer_;
  const std::uint64_t id_;
  const KeySchema key_;
  PartitionSet partitions_;
  std::mutex making_;  // taken before the locks of partitions, or without them
  // The number of a version. Written with `making_` and all partitions locked; read with any
  // partition locked.
  std::uint64_t published_ = 0;
  std::vector<std::shared_ptr<Index>> local_indexes_;
  std::uint32_t next_index_id_ = 1;  // guarded by `making_`
};

}  // namespace hashrange
