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
// Several of these may follow each other, such as the pages of a Scan. One thread at a time.
// Memory: a block, and the next value, of at most kMaxRecordBytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "control/files/byte_source.h"
#include "control/files/json_scan.h"
#include "control/files/record_block.h"

namespace hashrange {

// Returns whether each line of a file is an item, judged by the file's beginning `head`: false when
// `head` begins with an array, with an object of several lines, or with the answer of a Scan.
// `key_name` is the name of an attribute that every item has.
bool HasItemPerLine(std::string_view head, std::string_view key_name);

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

}  // namespace hashrange
