// RecordBlock: whole records of a data file, and BlockReader, which cuts a file into such blocks,
// so that each can be parsed by itself, by any thread, where it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/output_buffer.h"
#include "base/result.h"

namespace hashrange {

// The longest record, in bytes: what a request's body may have.
inline constexpr std::size_t kMaxRecordBytes = 16 << 20;

// A record that is not a line of its own.
struct RecordPlace {
  std::size_t begin = 0;  // in the block's bytes
  std::size_t size = 0;
  std::uint64_t line = 1;  // in which it begins
};

// The records may be overwritten, and the byte behind each of them too.
struct RecordBlock {
  OutputBuffer bytes;
  std::uint64_t first_line = 1;
  // Where the records stand; empty: a record is a line, with its line's end but perhaps the last
  // of the file, or is what a CSV has for one.
  std::vector<RecordPlace> places;
};

class BlockReader {
 public:
  virtual ~BlockReader() = default;
  // False at the end of the file.
  // Errors: those of the source; ValidationException  a record is too long, or has no end. line()
  //         is then where.
  virtual Result<bool> Next(RecordBlock* block) = 0;
  // The line at which the block to come begins, from 1.
  virtual std::uint64_t line() const = 0;
  // At the end: the file says of itself that items are missing in it.
  virtual bool is_partial() const { return false; }
};

}  // namespace hashrange
