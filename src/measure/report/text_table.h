// TextTable: rows of cells for a terminal, in columns that fit a width. The first column takes what
// the others leave, and is wrapped or clipped where it is too long. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

struct TextColumn {
  std::string heading = {};
  bool is_number = true;  // aligned to the right
};

struct TextTable {
  std::vector<TextColumn> columns = {};
  std::size_t most_lines = 1;  // of a cell of the first column, which is wrapped
  std::vector<std::vector<std::string>> rows = {};
};

// Returns the lines of the table, its heading first, each at most `width` columns wide if the first
// column can be clipped that far.
std::vector<std::string> TextTableLines(const TextTable& table, std::size_t width);

// Returns the text, clipped or filled with blanks to `width` columns.
std::string FitText(std::string_view text, std::size_t width, bool to_the_right);

// Returns the text in lines of at most `width` columns, broken at blanks where there are any.
std::vector<std::string> WrapText(std::string_view text, std::size_t width);

}  // namespace hashrange
