// BlockSource hands out the records of all files of a seed, block by block, in order, to any number
// of threads. It opens the files one after another, reads the header of a CSV, and recognises the
// format of each file.
//
// Thread-safe. A block belongs to the thread that took it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/files/csv.h"
#include "control/files/data_format.h"
#include "control/files/record_block.h"
#include "control/files/seed_plan.h"

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
  SourcePlace(std::size_t file, std::uint64_t line) : value_(file << kLineBits | line) {}

  std::size_t file() const { return value_ >> kLineBits; }
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

  mutable std::mutex mutex_;  // guards what follows
  std::size_t next_file_ = 0;
  std::unique_ptr<BlockReader> reader_;  // of the file before `next_file_`
  std::optional<DataFormat> format_;     // of the file of `reader_`; nullopt: not known yet
  std::shared_ptr<const CsvHeader> header_;
  std::vector<std::string> partial_files_;
  std::optional<LoadError> error_;
  bool is_stopped_ = false;
};

}  // namespace hashrange
