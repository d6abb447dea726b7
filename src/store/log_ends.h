// How far each log is known to be on the disk. A log that has less, or is damaged before that
// place, has lost what was on the disk: no power cut explains it. It is known from two places:
//
//   HASHRANGE.logs  a file that is written when a log is begun (the end of the log before), seconds
//                   after a flush, and when the directory is closed
//   key L           a record in the logs: how far a log was flushed when the record was written
//
// Both say "at least". A log that neither names may end anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/disk.h"

namespace hashrange {

// A place in a log: its number, and a count of bytes.
struct LogPosition {
  std::uint64_t log = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const LogPosition&, const LogPosition&) = default;
};
// By the number of the log: how many of its bytes are on the disk, at least. A log that is named is
// there, also with 0.
using LogEnds = std::map<std::uint64_t, std::uint64_t>;

// Raises the end of the position's log to the position.
void Raise(const LogPosition& position, LogEnds* ends);

// The value of the record that states a position (StoreKey::OfLogPosition).
std::string EncodeLogPosition(const LogPosition& position);
std::optional<LogPosition> DecodeLogPosition(std::string_view value);

// Returns what the file HASHRANGE.logs says; nothing if there is none.
// Errors: InternalServerError with a sentence  it is damaged, or cannot be read
Result<LogEnds> ReadLogEnds(Disk& disk, const std::string& directory);
// Writes the file, flushed.
leveldb::Status WriteLogEnds(Disk& disk, const std::string& directory, const LogEnds& ends);

}  // namespace hashrange
