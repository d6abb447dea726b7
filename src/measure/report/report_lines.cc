#include "measure/report/report_lines.h"

#include <algorithm>
#include <vector>

#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kLeastColumns = 80;

}  // namespace

ReportLines::ReportLines(const TextReportForm& form)
    : width_(std::max(form.columns, kLeastColumns)), has_colour_(form.has_colour) {}

void ReportLines::Heading(std::string_view text) {
  Line("");
  Line(Coloured(text, "1"));
}

void ReportLines::Table(const TextTable& table) {
  const std::vector<std::string> lines = TextTableLines(table, width_);
  Line(Coloured(lines.front(), "2"));
  for (std::size_t at = 1; at < lines.size(); ++at) Line(lines[at]);
}

void ReportLines::Paragraph(std::string_view lead, std::string_view text, std::string_view colour) {
  const std::size_t indent = TerminalColumns(lead);
  bool is_first = true;
  for (const std::string& line : WrapText(text, width_ - indent)) {
    Line((is_first ? Coloured(lead, colour) : std::string(indent, ' ')) + line);
    is_first = false;
  }
}

std::string ReportLines::Coloured(std::string_view text, std::string_view code) const {
  if (!has_colour_ || code.empty()) return std::string(text);
  return "\x1B[" + std::string(code) + "m" + std::string(text) + "\x1B[0m";
}

std::string_view SeverityColour(std::string_view severity) {
  if (severity == "severe") return "31";
  return severity == "warning" ? "33" : "36";
}

}  // namespace hashrange
