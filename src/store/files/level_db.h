// How Hashrange opens LevelDB.
#pragma once

#include <leveldb/db.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/files/ordered_files.h"

namespace hashrange {

// Opens the LevelDB in the directory, or makes one if there is none. Damaged ends of logs have been
// cut off before (store/files/log_repair.h); other damage that LevelDB finds is an error. LevelDB
// turns a log into a table when it has about `log_bytes` bytes. `files` outlives the LevelDB.
// Errors: InternalServerError with a sentence
Result<std::unique_ptr<leveldb::DB>> OpenLevelDb(OrderedFiles& files, const std::string& directory,
                                                 std::size_t log_bytes);

// Reads all tables in the directory with their checksums, and returns a sentence for each that is
// damaged: "000007.ldb is damaged: Corruption: block checksum mismatch". LevelDB's own sentences do
// not name the file.
std::vector<std::string> FindDamagedTables(leveldb::Env& files, const std::string& directory);

// Returns the options of a read that compares each block with its checksum, and reads it once.
inline leveldb::ReadOptions CheckedOnce() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}
// Returns the options of a write, which flushes the log or not.
inline leveldb::WriteOptions Flushed(bool flushes) {
  leveldb::WriteOptions options;
  options.sync = flushes;
  return options;
}

inline leveldb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view ToView(const leveldb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace hashrange
