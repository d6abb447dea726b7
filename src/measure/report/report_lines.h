// ReportLines collects the lines of a text report for a terminal: headings, tables and paragraphs
// of one width, in colour where that is wanted. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "measure/report/text_report.h"
#include "measure/report/text_table.h"

namespace hashrange {

class ReportLines {
 public:
  // At least 80 columns are used.
  explicit ReportLines(const TextReportForm& form);

  std::size_t width() const { return width_; }
  // Writes a line as it is; the caller made sure that it is readable (readable_text.h).
  void Line(std::string_view text) { text_.append(text).append("\n"); }
  // Writes an empty line, and a heading.
  void Heading(std::string_view text);
  void Table(const TextTable& table);
  // Writes a paragraph whose lines after the first begin at the same place as its text. `colour` is
  // that of the lead, as ANSI terminals number it; empty: none.
  void Paragraph(std::string_view lead, std::string_view text, std::string_view colour);
  // Returns the text. The object is not used again.
  std::string Take() { return std::move(text_); }

 private:
  std::string Coloured(std::string_view text, std::string_view code) const;

  std::size_t width_;
  bool has_colour_;
  std::string text_;
};

// Returns the colour of a severity: "severe", "warning" or "hint".
std::string_view SeverityColour(std::string_view severity);

}  // namespace hashrange
