// VariedFile: a lab file one number of which gets other values. The number is replaced in the tree
// of the document before the tree is read, so each value passes all checks of the reader. Used by
// one thread.
//
//   rates.submit a score               access_patterns.submit a score.rate
//   counts.Score                       entities.Score.count
//   Order.note.text.1                  entities.Order.attributes.note.text.1, of [8, 24] the 24
//   layouts.ten shards.shards          the number of shards in each shard() of the layout
//   traffic.0.for                      any other number, by the names and places that lead to it
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// A number with the unit behind it: 20/s, 365d, 8.
struct NumberWithUnit {
  double number = 0;
  std::string unit = {};  // "/s", "d", …; empty: none
  bool is_whole = false;  // it is written without a point
};

// Returns the number as lab files have it, to three digits unless it is whole: "0.25/s".
std::string TextOfNumber(const NumberWithUnit& number);

class VariedFile {
 public:
  // `name` is the file's name, for sentences. `path` is one of those above.
  // Errors: ValidationException  no number has the path, or several shard() have different numbers
  //         of shards; the sentence names numbers of the file
  static Result<VariedFile> Find(LabNode document, std::string_view name, std::string_view path);

  // Returns the number that the file declares.
  const NumberWithUnit& declared() const { return declared_; }

  // Returns the file with this number.
  // Errors: as ReadLabFile
  Result<LabFile> With(const NumberWithUnit& number);

 private:
  // Where the number stands in a text.
  struct Occurrence {
    std::size_t begin = 0;
    std::size_t length = 0;
  };
  struct VariedText {
    LabNode* node = nullptr;  // in the document
    std::string original = {};
    std::vector<Occurrence> occurrences = {};
  };

  VariedFile(LabNode document, std::string_view name)
      : document_(std::move(document)), name_(name) {}

  Status Take(std::string_view path);
  Status TakeShards(LabNode& node);

  LabNode document_;
  std::string name_;
  std::vector<VariedText> texts_ = {};
  NumberWithUnit declared_ = {};
};

// Which values a number gets: `rates.submit a score=0.1/s..100/s`, or `=x0.1..x10`, which are
// multiples of the declared value.
struct VariedRange {
  std::string path = {};
  double from = 0;
  double to = 0;
  std::string unit = {};  // empty: that of the file
  bool is_whole = false;
  bool is_multiple = false;
};

// Errors: ValidationException  the text has another form, or `from` is not less than `to`
Result<VariedRange> ReadVariedRange(std::string_view text);

}  // namespace hashrange
