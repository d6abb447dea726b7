// RecordReader cuts a data file of lines or of CSV into blocks of whole records (record_block.h).
// value_reader.h cuts JSON whose records are not lines.
//
//   lines  a record ends with its line
//   CSV    a line break between quotes belongs to its cell
//
// One thread at a time. Memory: a block, and the beginning of the next record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/output_buffer.h"
#include "base/result.h"
#include "control/files/byte_source.h"
#include "control/files/record_block.h"

namespace hashrange {

class RecordReader : public BlockReader {
 public:
  // `block_bytes` is about the size of a block. A block has at least one record.
  RecordReader(std::unique_ptr<ByteSource> source, bool is_csv, std::size_t block_bytes)
      : source_(std::move(source)), is_csv_(is_csv), block_bytes_(block_bytes) {}

  Result<bool> Next(RecordBlock* block) override;
  std::uint64_t line() const override { return line_; }

 private:
  // Appends up to `bytes` bytes of the file. Returns false at its end.
  Result<bool> ReadMore(OutputBuffer& to, std::size_t bytes);
  // Returns where the last whole record of `text` ends; 0 when there is none.
  std::size_t EndOfRecords(std::string_view text) const;

  const std::unique_ptr<ByteSource> source_;
  const bool is_csv_;
  const std::size_t block_bytes_;
  std::string unfinished_;  // the beginning of the record whose end was not read yet
  bool is_at_start_ = true;
  bool is_at_end_ = false;
  std::uint64_t line_ = 1;
};

}  // namespace hashrange
