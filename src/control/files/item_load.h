// ItemLoad reads the items of a seed from files and puts them into tables, on several threads.
//
//   Read     parses all files block by block and makes every item as PutItem would; the items wait
//            in one part for each partition of their table
//   Sort     sorts each part in the order of its partition; two items with one key are an error
//   Commit   puts the parts of a table into the table
//
// Nothing is written before Commit. A part is committed in order by one thread, so that threads
// share no partition and the leaves of the partition's tree are filled completely. One thread calls
// the functions. Read, Sort and Commit start more threads and wait for their end. The threads of
// Read take the blocks from a BlockSource.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/durability.h"
#include "base/memory/memory_bound.h"
#include "base/result.h"
#include "base/threads.h"
#include "control/files/block_reader.h"
#include "control/files/csv.h"
#include "control/files/data_format.h"
#include "control/files/seed_plan.h"
#include "engine/engine.h"

namespace hashrange {

// A file of items, and the table for the items.
struct LoadFile {
  SeedItems items;
  std::size_t table = 0;                  // the table's place in the list of tables
  const TableVersion* version = nullptr;  // the table's version, against which items are checked
};

// The place of an item in the files. Places are ordered like the files and their lines.
class SourcePlace {
 public:
  SourcePlace() = default;
  // `line` counts from 1; 0: the file as a whole.
  SourcePlace(std::size_t file, std::uint64_t line)
      : value_(std::uint64_t{file} << kLineBits | line) {}

  std::size_t file() const { return static_cast<std::size_t>(value_ >> kLineBits); }
  std::uint64_t line() const { return value_ & ((std::uint64_t{1} << kLineBits) - 1); }
  friend auto operator<=>(const SourcePlace&, const SourcePlace&) = default;

 private:
  static constexpr int kLineBits = 40;
  std::uint64_t value_ = 0;
};

struct LoadError {
  SourcePlace place;
  Error error;
};

// Records of one file, without the header of a CSV.
struct LoadBlock {
  RecordBlock records;
  std::size_t begin = 0;  // where the first record begins in the records' bytes
  std::size_t file_number = 0;
  std::uint64_t line = 1;  // of the first record; ItemLoad sets it to the line of each next record
  DataFormat format = DataFormat::kDynamoDb;
  std::shared_ptr<const CsvHeader> header;
  const LoadFile* file = nullptr;

  SourcePlace place() const { return {file_number, line}; }
};

// Hands out the records of all files of a seed, block by block, in order, to any number of threads.
// Opens the files one after another, reads the header of a CSV, and recognises the format of each
// file. Thread-safe. A block belongs to the thread that took it.
class BlockSource {
 public:
  // `format` is the format of all files, whatever their names and content; nullopt: it is
  // recognised.
  BlockSource(std::vector<LoadFile> files, std::optional<DataFormat> format,
              std::size_t block_bytes);

  // Fills `block`. Returns false when there are no more blocks, or after Stop or StopWithError.
  bool Next(LoadBlock* block);

  // Reports an error in a block or a file. No more blocks are handed out. Of several errors the
  // first in the order of the files is kept. When all threads have ended, the kept error is the
  // first of the seed: every block before it was handed out earlier, and its error was reported.
  void StopWithError(LoadError error);

  // No more blocks are handed out.
  void Stop();

  // Returns the names of the files whose content says that items are missing. Call it when all
  // files are read.
  std::vector<std::string> PartialFiles() const;

  // Returns the first error, as a sentence that begins with its place.
  Status status() const;
  // Returns the place as text: "users.jsonl:7".
  std::string PlaceText(SourcePlace place) const;

 private:
  // These are called with `mutex_` held.
  void StopWithErrorLocked(LoadError error);
  bool OpenNext();
  Status Open(const SeedItems& items, const TableVersion& table);
  bool ReadBlock(LoadBlock* block);
  Status BeginFile(LoadBlock* block);
  Status ReadHeader(LoadBlock* block);

  const std::vector<LoadFile> files_;
  const std::optional<DataFormat> forced_format_;
  const std::size_t block_bytes_;

  mutable Mutex mutex_;  // guards what follows
  std::size_t next_file_ = 0;
  std::unique_ptr<BlockReader> reader_;  // of the file before `next_file_`
  std::optional<DataFormat> format_;     // of the file of `reader_`; nullopt: not known yet
  std::shared_ptr<const CsvHeader> header_;
  std::vector<std::string> partial_files_;
  std::optional<LoadError> error_;
  bool is_stopped_ = false;
};

// Counters that any thread may read while items are loaded. A null pointer: nothing is counted.
struct ItemCounters {
  std::atomic<std::int64_t>* read = nullptr;
  std::atomic<std::int64_t>* stored = nullptr;
};

struct ItemLoadOptions {
  int threads = 1;
  MemoryBound* memory = nullptr;  // asked for each block; null: memory is not bounded
  std::size_t block_bytes = 256 << 10;
  std::optional<DataFormat> format = {};  // of all files; nullopt: it is recognised
  ItemCounters counters = {};
};

class ItemLoad {
 public:
  // Each file of `files` says for which of `tables` its items are. The tables outlive the object.
  ItemLoad(std::span<const TableVersion* const> tables, std::vector<LoadFile> files,
           const ItemLoadOptions& options);

  // Errors: the error of the first wrong file or record, as a sentence that begins with its place:
  //         "users.jsonl:7: …"; InternalServerError  the memory bound is exceeded
  Status Read();
  // Errors: ValidationException  two items have one key; the sentence begins with the later place
  Status Sort();

  // Returns the number of items of a table. Called after Sort and before Commit, which releases the
  // items.
  std::int64_t count(std::size_t table) const;
  // Returns the names of the files whose content says that items are missing.
  std::vector<std::string> partial_files() const { return source_.PartialFiles(); }

  // Throws std::bad_alloc when the memory does not suffice for Commit, as far as this can be
  // estimated: so that Commit does not fail half way, after some of the items are stored.
  void CheckMemoryForCommit() const;

  // Returns the version to commit to. Several threads call it at the same time, and again when a
  // commit finds its version stale. When the version is not the one that the items were checked
  // against in Read, they are checked against it, too.
  using FindTable = absl::FunctionRef<Result<TableRef>()>;
  struct Target {
    Engine& engine;
    Durability* durability;  // null: no change is kept
    std::uint64_t seed = 0;  // PendingSeed::id
  };
  // Keeps the items of a table for the seed that Commit makes of them. Called before Commit.
  PendingSeed Keep(Catalog& catalog, std::size_t table) const;
  // Puts the items of a table into the table, and drops this object's references to the items.
  // Errors: as `find` and Durability::WaitForRoom; ValidationException  an item does not fit the
  //         table as it is now. Some items may have been written then.
  Status Commit(const Target& target, std::size_t table, FindTable find);

 private:
  struct LoadedItem {
    std::uint64_t hash;
    SourcePlace place;
    ItemRef item;
  };
  using Part = std::vector<LoadedItem>;
  using Parts = std::array<Part, PartitionSet::kPartitions>;

  // The items that one thread has read.
  struct ItemsOfThread {
    std::vector<Parts> tables;
    std::int64_t count = 0;
  };

  void ReadBlocks(ItemsOfThread* items);
  Status ReadRecords(LoadBlock& block, ItemsOfThread* items, Arena& arena);
  Status ReadLines(LoadBlock& block, ItemsOfThread* items, Arena& arena);
  Status ReadValues(LoadBlock& block, ItemsOfThread* items, Arena& arena);
  static Status ReadJson(const LoadBlock& block, std::span<char> json, ItemsOfThread* items,
                         Arena& arena);
  Status ReadCsv(LoadBlock& block, ItemsOfThread* items, Arena& arena);
  static void Add(const LoadBlock& block, ItemRef item, ItemsOfThread* items);
  // Two items with the same key.
  struct Duplicate {
    SourcePlace place;
    SourcePlace first;  // of the earlier item
  };
  // Collects one part from all threads and sorts it. Returns the first duplicate, if any.
  std::optional<Duplicate> SortPart(std::size_t table, std::size_t number);
  // Puts the items of `part` into the table that `find` returns. `checked` is the version that the
  // items were checked against in Read.
  Status CommitPart(const Target& target, const TableVersion& checked, Part& part,
                    FindTable find) const;

  const std::vector<const TableVersion*> tables_;
  const int threads_;
  MemoryBound* const memory_;
  const ItemCounters counters_;
  BlockSource source_;
  std::vector<ItemsOfThread> read_;  // by worker
  std::vector<Parts> sorted_;        // by table
};

}  // namespace hashrange
