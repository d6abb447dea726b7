// RecordBlock contains whole records of a data file. BlockReader cuts a file into such blocks, so
// that any thread can parse a block in place, independently of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/output_buffer.h"
#include "base/result.h"

namespace hashrange {

// The longest record, in bytes: the limit of a request's body.
inline constexpr std::size_t kMaxRecordBytes = 16 << 20;

// The place of a record that is not a line of its own.
struct RecordPlace {
  std::size_t begin = 0;  // in the block's bytes
  std::size_t size = 0;
  std::uint64_t line = 1;  // where the record begins
};

// The records, and the byte behind each record, may be overwritten.
struct RecordBlock {
  OutputBuffer bytes;
  std::uint64_t first_line = 1;
  // The places of the records. Empty: the records are lines, or records of a CSV, one after
  // another. Each ends with a line break, which may be missing after the last record of the file.
  std::vector<RecordPlace> places;
};

class BlockReader {
 public:
  virtual ~BlockReader() = default;
  // Fills `block`. Returns false at the end of the file.
  // Errors: those of the source; ValidationException  a record is too long, or has no end. line()
  //         is then the line of the error.
  virtual Result<bool> Next(RecordBlock* block) = 0;
  // The line at which the next block begins, from 1.
  virtual std::uint64_t line() const = 0;
  // Returns, at the end of the file, whether the file's content says that items are missing.
  virtual bool is_partial() const { return false; }
};

}  // namespace hashrange
