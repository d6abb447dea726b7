// ValueReader cuts a file of JSON values that are not one a line into blocks of whole items:
//
//   {            {"Items":[{…},{…}],     [{…},
//     "PK": …      "Count":2}             {…}]
//   }
//   {            the answer of a Scan    an array
//     …
//   }
//   one after another
//
// Several of these may follow on each other, as the pages of a Scan do. One thread at a time.
// Memory: a block, and the value behind it, of at most kMaxRecordBytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "transfer/byte_source.h"
#include "transfer/json_scan.h"
#include "transfer/record_block.h"

namespace hashrange {

// Whether the items of a file are its lines or not, seen in its beginning: it is not when it begins
// with an array, with an object that goes on in the next line, or with the answer of a Scan.
// `key_name`: of an attribute that every item has.
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
    kFirstElement,  // behind the bracket of an array
    kElement,       // behind a comma of it
    kComma,         // behind an element
    kRest,          // behind the array of a Scan's answer
  };

  // These take what stands at `at_`. False when the text ends before it does.
  Result<bool> Advance(RecordBlock* block);
  Result<bool> AdvanceInArray(char c, RecordBlock* block);
  Result<bool> TakeObject(RecordBlock* block);
  Result<bool> SkipRestOfAnswer();
  Result<bool> TakeValue(const ScannedValue& value, RecordBlock* block);
  // At the end of the file: nothing is open there.
  Status CheckEnd();
  // Puts more of the file behind what is not taken yet.
  Status ReadMore(OutputBuffer& bytes);
  // Of a place that is not before the last one that was asked for.
  std::uint64_t LineAt(std::size_t at);
  Error ErrorAt(std::size_t at, std::string sentence);

  const std::unique_ptr<ByteSource> source_;
  const std::string key_name_;
  const std::size_t block_bytes_;
  std::string unfinished_;  // what was read and not taken yet
  std::string_view text_;   // of the block that is being made
  std::size_t at_ = 0;      // in it
  std::size_t counted_at_ = 0;
  Place place_ = Place::kTop;
  bool is_in_answer_ = false;  // of a Scan
  bool is_partial_ = false;
  bool is_at_start_ = true;
  bool is_at_end_ = false;
  std::uint64_t line_ = 1;  // of text_[counted_at_]
};

}  // namespace hashrange
