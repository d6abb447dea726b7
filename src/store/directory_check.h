// Looks through all of a data directory that no server uses, compacts it, or cuts off what is
// damaged of its logs: for `hashrange check`, `compact` and `repair`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/files/disk.h"
#include "store/files/log_repair.h"
#include "store/files/store_keys.h"
#include "value/schema.h"

namespace hashrange {

// What this folder does not know of the records.
struct RecordRules {
  // Returns the key schema of the table that the record describes.
  // Errors: any; the message says what is wrong
  std::function<Result<KeySchema>(std::string_view table_record)> read_schema;
  // Returns an error if a record of any kind but kItem is damaged. May be empty.
  std::function<Status(const StoreKeyParts& key, std::string_view value)> check_record;
};

struct DirectoryReport {
  // What a start would cut off, or what it refuses and a repair would cut off. The figures count
  // what would be left.
  std::vector<CutFile> damaged_ends;
  bool is_unreadable = false;        // it cannot be opened; the other figures are 0
  std::vector<std::string> damages;  // sentences, at most kMaxDamages
  std::uint64_t damage_count = 0;
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t stream_records = 0;
  std::uint64_t other_records = 0;
  // Items of deleted tables that are not removed yet: no damage.
  std::uint64_t left_items = 0;
  std::uint64_t bytes_on_disk = 0;

  static constexpr std::size_t kMaxDamages = 100;
};

// Reads every byte of the directory, and reports all damage that it finds. Writes nothing, so the
// directory may be on a file system that is mounted read-only.
// Cost: memory for about what the logs hold.
// Errors: ValidationException  as DataDirectory::Open
Result<DirectoryReport> CheckDirectory(const std::string& path, const RecordRules& rules,
                                       Disk* disk = nullptr);

// Cuts off what is damaged of the logs, with all that is behind it, and keeps that in files beside
// (CutMode::kRepair). Returns what was cut off. The directory can be opened then. Idempotent; it
// may be interrupted.
// Errors: as DataDirectory::Open; InternalServerError also means damage that it does not
//         repair: then nothing is changed
Result<std::vector<CutFile>> RepairDirectory(const std::string& path, Disk* disk = nullptr);

struct CompactionReport {
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

// Rewrites the data of a directory that no server uses, without what was removed or replaced.
// Errors: InternalServerError with a sentence
Result<CompactionReport> CompactDirectory(const std::string& path, Disk* disk = nullptr);

}  // namespace hashrange
