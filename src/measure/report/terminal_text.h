// The text of a report for a terminal: headings, tables and paragraphs of one width, in colour
// where that is wanted. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/report/report_section.h"

namespace hashrange {

struct TextReportForm {
  std::size_t columns = 100;  // of the terminal; at least 80 are used
  bool has_colour = false;    // with the escape sequences of ANSI terminals
};

// Returns the sections in lines of at most `form.columns` columns. Texts of the traffic cannot
// steer the terminal (readable_text.h). Of a figure, the table of its details is shown.
std::string TerminalText(std::span<const ReportSection> sections, const TextReportForm& form);

// Returns how many columns are used.
std::size_t WidthOf(const TextReportForm& form);

// Returns the lines of the table, its heading first, each at most `width` columns wide if the first
// column can be clipped that far.
std::vector<std::string> TableLines(const ReportTable& table, std::size_t width);

// Returns how wide the table is when its first column is as narrow as it may be.
std::size_t LeastWidthOf(const ReportTable& table);

// Returns the text, clipped or filled with blanks to `width` columns.
std::string FitText(std::string_view text, std::size_t width, bool to_the_right);

// Returns the text in lines of at most `width` columns, broken at blanks where there are any.
std::vector<std::string> WrapText(std::string_view text, std::size_t width);

}  // namespace hashrange
