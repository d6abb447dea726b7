// TableLoad fills a prepared table with items that were stored in the order of their positions, at
// the start of a server that keeps its data. It is faster than commits: no place is searched, and
// the nodes of the maps are filled wholly. The entries of indexes are collected while items are
// added, sorted when all are there, and become maps in the same way.
//
//   Add, Add, …   on any threads, each partition's items in order on one thread at a time
//   RunJob(i)     for each job once, on any threads: makes the maps of a partition
//
// An index that is being filled (IndexVersion::is_filling) stays empty: its backfill starts anew.
// Running out of memory in RunJob ends the process.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/map/partition.h"
#include "engine/table_version.h"
#include "value/item.h"

namespace hashrange {

class TableLoad {
 public:
  // `table` is prepared, empty and used by nobody else until the last job is done.
  explicit TableLoad(TableRef table);
  ~TableLoad();
  TableLoad(const TableLoad&) = delete;
  TableLoad& operator=(const TableLoad&) = delete;

  const TableVersion& table() const { return *table_; }

  // Adds an item, which was made with the table's key. Returns false, and adds nothing, when its
  // position is not above the position of the item before it in its partition. Several threads may
  // add items of different partitions (PartitionSet::NumberOf) at the same time. Cost: some 10 ns,
  // and for each index the hash and the encoding of a key.
  [[nodiscard]] bool Add(ItemRef item);

  // The jobs are independent of each other; they begin when the last item is added.
  int job_count() const;
  void RunJob(int job);

 private:
  struct Part;
  using Parts = std::array<std::unique_ptr<Part>, PartitionSet::kPartitions>;

  // Makes the items and the local indexes of a partition.
  void MakeItems(int number);
  // Makes the partition of an index that has its own partitions.
  void MakeIndexPartition(std::size_t index, int number);

  const TableRef table_;
  // The indexes to make: their places in the table's list of indexes. Vector indexes are among the
  // global ones, as both have their own partitions.
  std::vector<std::size_t> global_;
  std::vector<std::size_t> local_;
  Parts parts_;  // null: the partition has no item. Written by the thread that adds its items.
};

}  // namespace hashrange
