#include "measure/report/terminal_text.h"

#include <algorithm>

#include "base/text/text_encodings.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kLeastColumns = 80;
constexpr std::size_t kGap = 2;  // between the columns of a table
constexpr std::size_t kLeastFirstColumn = 16;

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

// --- Tables ---

// Returns the table with the columns, their names and the rows that a terminal shows.
ReportTable ShownTable(const ReportTable& table) {
  ReportTable shown = table;
  const auto is_hidden = [](const ReportColumn& column) { return column.shown == ShownIn::kPage; };
  shown.rows.resize(std::min(shown.rows.size(), table.most_rows));
  for (std::size_t at = table.columns.size(); at > 0; --at) {
    if (!is_hidden(table.columns[at - 1])) continue;
    for (auto& row : shown.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(at - 1));
  }
  std::erase_if(shown.columns, is_hidden);
  for (ReportColumn& column : shown.columns) {
    if (column.short_name) column.name = *column.short_name;
  }
  return shown;
}

// Returns how wide the columns of a shown table are by their contents.
std::vector<std::size_t> ContentWidths(const ReportTable& table) {
  std::vector<std::size_t> widths;
  for (const ReportColumn& column : table.columns) widths.push_back(TerminalColumns(column.name));
  for (const std::vector<std::string>& row : table.rows) {
    for (std::size_t at = 0; at < row.size(); ++at) {
      widths[at] = std::max(widths[at], TerminalColumns(ReadableText(row[at])));
    }
  }
  return widths;
}

// Returns how wide all columns but the first are, with the gaps before them.
std::size_t WidthOfOthers(const std::vector<std::size_t>& widths) {
  std::size_t others = 0;
  for (std::size_t at = 1; at < widths.size(); ++at) others += widths[at] + kGap;
  return others;
}

std::size_t LeastWidthOfShown(const ReportTable& table) {
  return kLeastFirstColumn + WidthOfOthers(ContentWidths(table));
}

std::string LineOf(const std::vector<std::string>& cells, const ReportTable& table,
                   const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t at = 0; at < cells.size(); ++at) {
    if (at > 0) line.append(kGap, ' ');
    const bool is_number = at > 0 && table.columns[at].kind == ColumnKind::kNumber;
    line.append(FitText(cells[at], widths[at], is_number));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

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

std::vector<std::string> LinesOfShown(const ReportTable& table, std::size_t width) {
  std::vector<std::size_t> widths = ContentWidths(table);
  const std::size_t others = WidthOfOthers(widths);
  const std::size_t left = width > others + kLeastFirstColumn ? width - others : kLeastFirstColumn;
  widths[0] = std::min(widths[0], left);
  std::vector<std::string> headings;
  for (const ReportColumn& column : table.columns) headings.push_back(column.name);
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

// Returns the columns of a shown table that stand before its groups, and `count` groups from
// `first`.
ReportTable GroupsOf(const ReportTable& table, std::size_t first, std::size_t count) {
  const std::size_t begin = table.repeated_columns + first * table.group_columns;
  const std::size_t end = std::min(begin + count * table.group_columns, table.columns.size());
  const auto keep = [&](auto& cells) {
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(end), cells.end());
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(table.repeated_columns),
                cells.begin() + static_cast<std::ptrdiff_t>(begin));
  };
  ReportTable part = table;
  keep(part.columns);
  for (auto& row : part.rows) keep(row);
  return part;
}

// Returns the tables that a terminal shows for a shown table: one, or several of some groups each.
std::vector<ReportTable> TablesOfGroups(const ReportTable& table, std::size_t width) {
  if (table.group_columns == 0) return {table};
  const std::size_t groups = (table.columns.size() - table.repeated_columns) / table.group_columns;
  std::vector<ReportTable> tables;
  for (std::size_t at = 0; at < groups;) {
    std::size_t count = groups - at;
    while (count > 1 && LeastWidthOfShown(GroupsOf(table, at, count)) > width) --count;
    tables.push_back(GroupsOf(table, at, count));
    at += count;
  }
  return tables;
}

// --- Parts ---

std::string_view SeverityColour(std::string_view severity) {
  if (severity == "severe") return "31";
  return severity == "warning" ? "33" : "36";
}

class TerminalWriter {
 public:
  explicit TerminalWriter(const TextReportForm& form)
      : width_(WidthOf(form)), has_colour_(form.has_colour) {}

  void Section(const ReportSection& section) {
    if (!section.heading.empty()) {
      Line("");
      Line(Coloured(section.heading, "1"));
    }
    Parts(section.parts);
  }
  std::string Take() { return std::move(text_); }

 private:
  // Writes a line of readable text.
  void Line(std::string_view text) { text_.append(text).append("\n"); }

  // `colour` is the colour of the lead, as ANSI terminals number it; empty: none.
  void Paragraph(std::string_view lead, std::string_view text, std::string_view colour = {}) {
    const std::size_t indent = TerminalColumns(lead);
    bool is_first = true;
    for (const std::string& line : WrapText(text, width_ - indent)) {
      Line((is_first ? Coloured(lead, colour) : std::string(indent, ' ')) + line);
      is_first = false;
    }
  }

  void MoreLine(std::size_t all, std::size_t most, std::string_view place) {
    if (all > most) Line("and " + CountText(all - most) + " more" + std::string(place));
  }

  void Parts(const ReportParts& parts) {
    for (const ReportPart& part : parts) {
      std::visit([&](const auto& each) { Part(each); }, part);
    }
  }

  void Part(const ReportTable& table) {
    bool is_first = true;
    for (const ReportTable& each : TablesOfGroups(ShownTable(table), width_)) {
      if (!is_first) Line("");
      is_first = false;
      const std::vector<std::string> lines = LinesOfShown(each, width_);
      Line(Coloured(lines.front(), "2"));
      for (std::size_t at = 1; at < lines.size(); ++at) Line(lines[at]);
    }
    MoreLine(table.rows.size(), table.most_rows, table.more_place);
  }

  void Part(const ReportFigure& figure) {
    if (figure.details) Part(*figure.details);
  }

  void Part(const ReportParagraph& paragraph) { Paragraph(paragraph.lead, paragraph.text); }

  void Part(const ReportHeading& heading) { Line(Coloured(ReadableText(heading.text), "1")); }

  void Part(const ReportBlankLine&) { Line(""); }

  void Part(const ReportLines& lines) {
    for (const std::string& line : lines.lines) Line("    " + line);
  }

  void Part(const ReportList& list) {
    for (std::size_t at = 0; at < std::min(list.sentences.size(), list.most); ++at) {
      Paragraph(list.lead, list.sentences[at].text);
    }
    MoreLine(list.sentences.size(), list.most, {});
  }

  void Part(const ReportTiles& tiles) {
    // From this width on, three figures of the headline stand side by side, below it two.
    constexpr std::size_t kColumnsForThree = 96;
    const std::size_t in_a_row = width_ < kColumnsForThree ? 2 : 3;
    const std::size_t width = width_ / in_a_row;
    std::string line;
    std::size_t in_line = 0;
    for (const ReportTile& tile : tiles.tiles) {
      if (tile.shown == ShownIn::kPage) continue;
      const std::string value = " " + tile.value;
      const std::size_t taken = 3 + TerminalColumns(value);
      const std::size_t room =
          std::max(TerminalColumns(tile.short_name), width > taken ? width - taken : 0);
      line += (in_line > 0 ? "   " : "") + FitText(tile.short_name, room, false) + value;
      if (++in_line < in_a_row) continue;
      Line(line);
      line.clear();
      in_line = 0;
    }
    if (in_line > 0) Line(line);
  }

  void Part(const ReportCards& cards) {
    for (std::size_t at = 0; at < std::min(cards.findings.size(), cards.most); ++at) {
      const FindingCard& finding = cards.findings[at];
      Paragraph(FitText(finding.severity, 9, false), finding.summary,
                SeverityColour(finding.severity));
    }
    MoreLine(cards.findings.size(), cards.most, {});
  }

  void Part(const ReportDetails& details) {
    Paragraph("", details.summary);
    Parts(details.parts);
  }

  std::string Coloured(std::string_view text, std::string_view code) const {
    if (!has_colour_ || code.empty()) return std::string(text);
    return "\x1B[" + std::string(code) + "m" + std::string(text) + "\x1B[0m";
  }

  std::size_t width_;
  bool has_colour_;
  std::string text_;
};

}  // namespace

std::string TerminalText(std::span<const ReportSection> sections, const TextReportForm& form) {
  TerminalWriter writer(form);
  for (const ReportSection& section : sections) writer.Section(section);
  const std::string text = writer.Take();
  return text.starts_with('\n') ? text.substr(1) : text;
}

std::size_t WidthOf(const TextReportForm& form) { return std::max(form.columns, kLeastColumns); }

std::vector<std::string> TableLines(const ReportTable& table, std::size_t width) {
  return LinesOfShown(ShownTable(table), width);
}

std::size_t LeastWidthOf(const ReportTable& table) { return LeastWidthOfShown(ShownTable(table)); }

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

}  // namespace hashrange
