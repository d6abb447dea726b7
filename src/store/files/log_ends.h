// How many bytes of each log are known to be on the disk. A log that has fewer bytes, or is damaged
// before that place, has lost bytes that were on the disk. A power cut cannot do this. Two sources
// say how many bytes were on the disk:
//
//   HASHRANGE.logs  a file that is written when a log is begun (the end of the log before), seconds
//                   after a flush, and when the directory is closed
//   key L           a record in the logs: how far a log was flushed when the record was written
//
// Both state a lower bound. A log that neither source names may end anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/files/disk.h"

namespace hashrange {

// A place in a log: its number, and a count of bytes.
struct LogPosition {
  std::uint64_t log = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const LogPosition&, const LogPosition&) = default;
};
// The number of a log, and the number of its bytes that are on the disk at least. The file of each
// log in the map exists, also when the number of bytes is 0.
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
