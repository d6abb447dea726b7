#include "measure/report/text_table.h"

#include <algorithm>

#include "base/utf8.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastFirstColumn = 16;

std::vector<std::size_t> WidthsOf(const TextTable& table, std::size_t width) {
  std::vector<std::size_t> widths;
  for (const TextColumn& column : table.columns) widths.push_back(TerminalColumns(column.heading));
  for (const std::vector<std::string>& row : table.rows) {
    for (std::size_t at = 0; at < row.size(); ++at) {
      widths[at] = std::max(widths[at], TerminalColumns(ReadableText(row[at])));
    }
  }
  std::size_t others = 0;
  for (std::size_t at = 1; at < widths.size(); ++at) others += widths[at] + kGap;
  const std::size_t left = width > others + kLeastFirstColumn ? width - others : kLeastFirstColumn;
  widths[0] = std::min(widths[0], left);
  return widths;
}

std::string LineOf(const std::vector<std::string>& cells, const TextTable& table,
                   const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t at = 0; at < cells.size(); ++at) {
    if (at > 0) line.append(kGap, ' ');
    line.append(FitText(cells[at], widths[at], at > 0 && table.columns[at].is_number));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// Returns the first characters of the text that fit into `width` columns.
std::string_view PrefixOf(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t columns = 0;
  while (bytes < text.size()) {
    const std::size_t length = FirstCharacterBytes(text.substr(bytes));
    columns += TerminalColumns(text.substr(bytes, length));
    if (columns > width) break;
    bytes += length;
  }
  return text.substr(0, bytes);
}

}  // namespace

std::string FitText(std::string_view text, std::size_t width, bool to_the_right) {
  std::string fitted = ReadableText(text);
  // Wide characters take two columns, so fewer of them fit.
  for (std::size_t most = std::max<std::size_t>(width, 3);
       TerminalColumns(fitted) > width && most >= 3; --most) {
    fitted = ClippedText(text, most);
  }
  if (TerminalColumns(fitted) > width) fitted = std::string(PrefixOf(fitted, width));
  const std::size_t columns = TerminalColumns(fitted);
  if (columns < width) fitted.insert(to_the_right ? 0 : fitted.size(), width - columns, ' ');
  return fitted;
}

std::vector<std::string> WrapText(std::string_view text, std::size_t width) {
  const std::string readable = ReadableText(text);
  std::string_view rest = readable;
  std::vector<std::string> lines;
  while (!rest.empty()) {
    std::string_view line = PrefixOf(rest, width);
    if (line.size() < rest.size()) {
      const std::size_t blank = rest.substr(0, line.size() + 1).rfind(' ');
      if (blank != std::string_view::npos && blank > 0) line = rest.substr(0, blank);
    }
    lines.emplace_back(line);
    rest.remove_prefix(line.size());
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  return lines;
}

namespace {

// Returns the lines of a cell of the first column, those after the first a little to the right.
std::vector<std::string> FirstCell(const std::string& text, std::size_t width,
                                   std::size_t most_lines) {
  constexpr std::size_t kIndent = 2;
  const std::string readable = ReadableText(text);
  if (most_lines == 1 || TerminalColumns(readable) <= width) return {text};
  std::vector<std::string> lines = WrapText(readable, width - kIndent);
  for (std::size_t most = most_lines * (width - kIndent); lines.size() > most_lines; --most) {
    lines = WrapText(ClippedText(readable, most), width - kIndent);
  }
  for (std::size_t at = 1; at < lines.size(); ++at) lines[at].insert(0, kIndent, ' ');
  return lines;
}

}  // namespace

std::vector<std::string> TextTableLines(const TextTable& table, std::size_t width) {
  const std::vector<std::size_t> widths = WidthsOf(table, width);
  std::vector<std::string> headings;
  for (const TextColumn& column : table.columns) headings.push_back(column.heading);
  std::vector<std::string> lines = {LineOf(headings, table, widths)};
  for (const std::vector<std::string>& row : table.rows) {
    const std::vector<std::string> first = FirstCell(row.front(), widths[0], table.most_lines);
    std::vector<std::string> cells = row;
    cells.front() = first.front();
    lines.push_back(LineOf(cells, table, widths));
    lines.insert(lines.end(), first.begin() + 1, first.end());
  }
  return lines;
}

}  // namespace hashrange
