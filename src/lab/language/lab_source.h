// LabSource: the text of a lab file, by lines: where a place of the YAML parser is, and what stands
// there. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

// Something that is wrong in the text of a lab file.
struct LabFault {
  LabPlace place = {};
  std::string sentence = {};
};

class LabSource {
 public:
  // `text` outlives the source and has no byte order mark.
  explicit LabSource(std::string_view text);

  // Returns what no YAML parser has to see: a text that is too large, is not valid UTF-8 or has
  // control characters.
  std::optional<LabFault> FirstFault(std::size_t max_bytes) const;

  // Lines and columns of marks count from 0, and columns count bytes; those of a place count from
  // 1, and columns count characters. A mark behind the end is the end.
  std::size_t OffsetOf(int mark_line, int mark_column) const;
  LabPlace PlaceOf(int mark_line, int mark_column) const;
  // Returns the line and the column, as marks count them, of a byte of the text.
  std::pair<int, int> MarkOf(std::size_t offset) const;

  bool StartsWith(std::size_t offset, std::string_view text) const {
    return text_.substr(offset).starts_with(text);
  }

  // Returns whether the quote that stands at the offset is closed; true where there is no quote.
  // The YAML parser takes the end of the text for a quote that closes.
  bool ClosesQuote(std::size_t offset) const;

  // Returns whether the unquoted scalar `value` at the offset is followed, in its line, by a
  // comment that looks like the rest of the value: `#` with no blank behind it, or with a
  // placeholder.
  bool IsCutAt(std::size_t offset, std::string_view value) const;

  std::string_view text() const { return text_; }
  std::size_t lines() const { return lines_.size(); }
  // Returns a line without its end. `mark_line` is less than lines().
  std::string_view Line(int mark_line) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_;  // the offset of each line; at least one
};

}  // namespace hashrange
