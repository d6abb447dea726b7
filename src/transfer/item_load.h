// ItemLoad: the items of a seed, on their way from files into tables, on several threads.
//
//   Read     parses all files, a block after another, and makes every item as PutItem would;
//            what it makes waits in 16 parts for each table, as the table's partitions are
//   Sort     brings each part into the order of its partition; two items of one key are an error
//   Commit   puts the parts of a table into it
//
// Nothing is written before Commit. A part is committed in order, so that threads share no
// partition and each leaf of the map is full. The caller's thread works too.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "engine/engine.h"
#include "transfer/block_source.h"
#include "transfer/seed_plan.h"

namespace hashrange {

// Counts that any thread may look at while items are loaded. Each may be null.
struct ItemCounters {
  std::atomic<std::int64_t>* read = nullptr;
  std::atomic<std::int64_t>* stored = nullptr;
};

struct ItemLoadOptions {
  int threads = 1;
  std::size_t block_bytes = 256 << 10;
  std::optional<DataFormat> format = {};  // of all files
  ItemCounters counters = {};
};

class ItemLoad {
 public:
  // The items of `files` are for `tables`, which outlive it; each file says which.
  ItemLoad(std::span<const TableVersion* const> tables, std::vector<LoadFile> files,
           const ItemLoadOptions& options);

  // Errors: what is wrong with the first file or record that is wrong, a sentence that begins
  //         with its place: "users.jsonl:7: …"
  Status Read();
  // Errors: ValidationException  two items have one key; the place of the later one
  Status Sort();

  std::int64_t count(std::size_t table) const;
  // The files that say of themselves that items are missing in them, by name.
  std::vector<std::string> partial_files() const { return source_.PartialFiles(); }

  // Throws std::bad_alloc when the memory does not suffice for what Commit makes, as far as can be
  // told: a commit ends the process rather than be done by half.
  void CheckMemoryForCommit() const;

  // The version to commit to, again after a commit was stale; when it is another one, what is to
  // be written is checked against it.
  using FindTable = absl::FunctionRef<Result<TableRef>()>;
  // Puts the items of a table into it, and lets go of them here.
  // Errors: those of `find`; ValidationException  an item does not fit the table as it is now.
  //         Some items may have been written.
  Status Commit(Engine& engine, std::size_t table, FindTable find);

 private:
  struct LoadedItem {
    std::uint64_t hash;
    SourcePlace place;
    ItemRef item;
  };
  using Part = std::vector<LoadedItem>;
  using Parts = std::array<Part, PartitionSet::kPartitions>;

  // What one thread has read.
  struct ReadItems {
    std::vector<Parts> tables;
    std::int64_t count = 0;
  };

  void ReadBlocks(ReadItems* items);
  Status ReadRecords(LoadBlock& block, ReadItems* items, Arena& arena);
  Status ReadLines(LoadBlock& block, ReadItems* items, Arena& arena);
  Status ReadValues(LoadBlock& block, ReadItems* items, Arena& arena);
  static Status ReadJson(const LoadBlock& block, std::span<char> json, ReadItems* items,
                         Arena& arena);
  Status ReadCsv(LoadBlock& block, ReadItems* items, Arena& arena);
  static void Add(const LoadBlock& block, ItemRef item, ReadItems* items);
  // One part of all threads, in order. The place of the first item whose key another has, and
  // that one's.
  struct Duplicate {
    SourcePlace place;
    SourcePlace first;
  };
  std::optional<Duplicate> SortPart(std::size_t table, std::size_t number);
  // The items were checked against the version `checked`.
  Status CommitPart(Engine& engine, const TableVersion& checked, Part& part, FindTable find) const;

  const std::vector<const TableVersion*> tables_;
  const int threads_;
  const ItemCounters counters_;
  BlockSource source_;
  std::vector<ReadItems> read_;  // by worker
  std::vector<Parts> sorted_;    // by table
};

}  // namespace hashrange
