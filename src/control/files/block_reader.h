// BlockReader cuts a data file into blocks of whole records, so that any thread can parse a block
// in place, independently of the others.
//
//   RecordReader   lines, or CSV, whose cells may have line breaks between quotes
//   ValueReader    JSON whose values are not lines
//
// One thread at a time uses a reader. A reader has a block, and the beginning of the next record,
// in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory/output_buffer.h"
#include "base/result.h"
#include "control/files/byte_source.h"

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
  // Errors: as the source; ValidationException  a record is too long, or has no end. line() is then
  //         the line of the error.
  virtual Result<bool> Next(RecordBlock* block) = 0;
  // The line at which the next block begins, from 1.
  virtual std::uint64_t line() const = 0;
  // Returns, at the end of the file, whether the file's content says that items are missing.
  virtual bool is_partial() const { return false; }
};

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

// Where a JSON value ends, found without parsing the value.
struct ScannedValue {
  enum class Outcome {
    kWhole,    // `end` is behind the value
    kCut,      // the text ends before the value does
    kOpenText  // a line ends inside of a text in quotes, at `end`: it is no JSON
  };
  Outcome outcome = Outcome::kCut;
  std::size_t end = 0;
};

// ValueReader cuts a file of JSON values, where a line is not a value, into blocks of whole items:
//
//   {            {"Items":[{…},{…}],     [{…},
//     "PK": …      "Count":2}             {…}]
//   }
//   {            the answer of a Scan    an array
//     …
//   }
//   objects, one after another
//
// Several of these may follow each other, such as the pages of a Scan.
class ValueReader : public BlockReader {
 public:
  ValueReader(std::unique_ptr<ByteSource> source, std::string key_name, std::size_t block_bytes)
      : source_(std::move(source)), key_name_(std::move(key_name)), block_bytes_(block_bytes) {}

  Result<bool> Next(RecordBlock* block) override;
  std::uint64_t line() const override { return line_; }
  bool is_partial() const override { return is_partial_; }

 private:
  enum class Place {
    kTop,           // between values
    kFirstElement,  // behind the opening bracket of an array: an element or the end follows
    kElement,       // behind a comma of an array: an element follows
    kComma,         // behind an element of an array: a comma or the end follows
    kRest,          // behind the array in the answer of a Scan
  };

  // These read the value, or the bracket or comma, at `at_`. They return false when the text ends
  // too early.
  Result<bool> Advance(RecordBlock* block);
  Result<bool> AdvanceInArray(char c, RecordBlock* block);
  Result<bool> TakeObject(RecordBlock* block);
  Result<bool> SkipRestOfAnswer();
  Result<bool> TakeValue(const ScannedValue& value, RecordBlock* block);
  // Checks, at the end of the file, that no value is unfinished.
  Status CheckEnd();
  // Drops the text before `at_`, and reads more of the file behind the text that remains.
  Status ReadMore(OutputBuffer& bytes);
  // Returns the line of the place `at`, which is not before the place of the last call. Sets
  // `line_` and `counted_at_` to this place.
  std::uint64_t LineAt(std::size_t at);
  // Returns the error, and sets line() to the line of the place `at`.
  Error ErrorAt(std::size_t at, std::string sentence);

  const std::unique_ptr<ByteSource> source_;
  const std::string key_name_;
  const std::size_t block_bytes_;
  std::string unfinished_;      // the text that was read and is in no block yet
  std::string_view text_;       // of the block that is being built
  std::size_t at_ = 0;          // the place in `text_` up to which it was read
  std::size_t counted_at_ = 0;  // the place in `text_` up to which lines were counted
  Place place_ = Place::kTop;
  bool is_in_answer_ = false;  // inside of the answer of a Scan
  bool is_partial_ = false;
  bool is_at_start_ = true;
  bool is_at_end_ = false;
  std::uint64_t line_ = 1;  // of text_[counted_at_]
};

// Returns whether each line of a file is an item, judged by the file's beginning `head`: false when
// `head` begins with an array, with an object of several lines, or with the answer of a Scan.
// `key_name` is the name of an attribute that every item has.
bool HasItemPerLine(std::string_view head, std::string_view key_name);

}  // namespace hashrange
