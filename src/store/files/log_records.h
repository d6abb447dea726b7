// LogRecordReader reads the records of a file in LevelDB's log format (its doc/log_format.md), in
// which logs and manifests are written. LevelDB's own reader skips damage and goes on behind it;
// this one stops, so that nothing is read behind a hole.
//
//   block of 32 KiB: (checksum · length · type · bytes)…, and zeros where no header has room
//
// The bytes may be anything. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/files/log_ends.h"

namespace hashrange {

class LogRecordReader {
 public:
  // `bytes`, the whole file, outlives the reader. A record begins at `begin`.
  explicit LogRecordReader(std::string_view bytes, std::size_t begin = 0)
      : bytes_(bytes), end_(begin) {}

  // Returns the next record, or none at the end and at the first damage. A record is a view of the
  // file or of the reader, until the next call.
  std::optional<std::string_view> Next();

  // Returns where the last record that Next returned ends; at first, `begin`.
  std::size_t end_of_records() const { return end_; }
  // Returns where the record behind the last one begins: behind the padding of a block.
  std::size_t next_record() const;
  // Returns whether bytes other than padding follow the last record. Valid when Next has returned
  // none.
  bool is_damaged() const { return is_damaged_; }

 private:
  struct Fragment {
    unsigned type = 0;
    std::string_view bytes;
    std::size_t end = 0;
  };
  std::optional<Fragment> ReadFragment(std::size_t at) const;
  std::optional<std::string_view> Stop(bool is_damaged);

  const std::string_view bytes_;
  std::size_t end_ = 0;
  bool is_damaged_ = false;
  std::string joined_;  // a record of several fragments
};

// Returns whether a record begins anywhere in the bytes. Cost: up to a second for each megabyte.
bool HoldsLogRecord(std::string_view bytes);

// What is sound of a write-ahead log: records that follow each other without a gap.
struct LogScan {
  std::size_t sound_bytes = 0;  // the beginning of the file that is sound
  std::size_t records = 0;      // how many records that are
  bool is_damaged = false;      // other bytes follow
  // The number that LevelDB gives the change behind the sound records; none if there are none.
  std::optional<std::uint64_t> next_sequence;
  // How many changes are in records that are whole but behind the damage; at least.
  std::uint64_t lost_changes = 0;
  // What all whole records say of how far logs were flushed, also those behind the damage.
  LogEnds flushed;
};

// Reads the whole log. If `first_sequence` is given, a log that begins with another number is not
// sound at all: what was before it is missing.
// Cost: linear; behind damage, at most some seconds more.
LogScan ScanLog(std::string_view bytes, std::optional<std::uint64_t> first_sequence);

// What is sound of a manifest.
struct ManifestScan {
  std::size_t sound_bytes = 0;  // the beginning of the file that is sound
  std::size_t edits = 0;        // how many edits that are
  bool is_damaged = false;      // other bytes follow
  std::size_t damage_at = 0;    // where the damaged edit begins, if there is one
  // The oldest log in force by these edits; 0: none yet. None: no edit says it, which LevelDB never
  // leaves so.
  std::optional<std::uint64_t> log_number;
};
ManifestScan ScanManifest(std::string_view bytes);

}  // namespace hashrange
