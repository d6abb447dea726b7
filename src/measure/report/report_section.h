// ReportSection: a part of a report as plain data. Functions that know the figures make it; two
// renderers, which know no figure, write it: TerminalText (terminal_text.h) and HtmlPage
// (html_page.h).
//
//   ReportPage ── ReportSection ── ReportPart ─┬─ ReportTable
//                                              ├─ ReportFigure   a plot and its table
//                                              ├─ ReportTiles, ReportCards, ReportList, …
//                                              └─ ReportDetails  parts that a line opens
//
// Its texts may come from the traffic: the renderers make them readable (readable_text.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "measure/report/svg_plot.h"

namespace hashrange {

enum class ColumnKind : std::uint8_t {
  kNumber,
  kText,
  kCode,  // keys, templates, expressions
};

// Which of the two renderers shows something.
enum class ShownIn : std::uint8_t { kBoth, kPage, kTerminal };

struct ReportColumn {
  std::string name = {};
  ColumnKind kind = ColumnKind::kNumber;
  std::optional<std::string> short_name = {};  // in a terminal, where it differs
  ShownIn shown = ShownIn::kBoth;
};

// The first column that is shown names the row.
struct ReportTable {
  std::string caption = {};  // of a page
  std::vector<ReportColumn> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  // In a terminal, the first column takes what the others leave. Its cells are wrapped into so many
  // lines, and only the first rows are shown.
  std::size_t most_lines = 1;
  std::size_t most_rows = static_cast<std::size_t>(-1);
  std::string_view more_place = {};  // where the further rows are: ", which --html has"
  // Where this is not 0, a terminal divides the columns behind the first `repeated_columns` into
  // groups of this many, and shows as many groups side by side as fit; the others are tables of
  // their own.
  std::size_t group_columns = 0;
  std::size_t repeated_columns = 1;
};

struct ReportFigure {
  std::string caption = {};
  std::string_view method = "measured";
  std::string note = {};   // how to read the figure
  std::string title = {};  // of the plot, for somebody who does not see it; empty: the caption
  std::string description = {};  // the same
  ReportPlot plot = {};
  // The figures of the plot, behind a line that opens them; without a caption, it has the figure's.
  std::optional<ReportTable> details = {};
  std::vector<ReportTable> tables = {};
};

struct ReportParagraph {
  std::string text = {};
  std::string_view css_class = {};
  std::string lead = {};  // of a terminal: further lines begin where the text behind it does
  bool is_strong = false;
};

// A line of its own above what follows.
struct ReportHeading {
  std::string text = {};
};

// An empty line of a terminal.
struct ReportBlankLine {};

// Lines that are shown as they are, such as the JSON of a request.
struct ReportLines {
  std::vector<std::string> lines = {};
};

struct ReportSentence {
  std::string text = {};
  std::string method = {};  // empty: none is told
};

struct ReportList {
  std::vector<ReportSentence> sentences = {};
  std::string_view css_class = "assumptions";
  std::string_view lead = "- ";                     // of a terminal
  std::size_t most = static_cast<std::size_t>(-1);  // the same
};

// A figure of a headline.
struct ReportTile {
  std::string_view name = {};
  std::string_view short_name = {};
  ShownIn shown = ShownIn::kBoth;
  std::string value = {};
  std::string note = {};
  std::string_view method = {};
};

struct ReportTiles {
  std::vector<ReportTile> tiles = {};
};

struct FindingFact {
  std::string_view name = {};
  std::string text = {};
  std::string method = {};
};

// A weakness of a design.
struct FindingCard {
  std::string severity = {};  // "severe", "warning", "hint"
  std::string what = {};
  std::string rule = {};
  std::vector<FindingFact> facts = {};
  std::string summary = {};  // of a terminal, which shows nothing else
};

struct ReportCards {
  std::vector<FindingCard> findings = {};
  std::size_t most = static_cast<std::size_t>(-1);  // in a terminal
};

struct ReportPart;

struct ReportDetails {
  std::string summary = {};
  std::vector<ReportPart> parts;
};

using ReportPartValue =
    std::variant<ReportTable, ReportFigure, ReportParagraph, ReportHeading, ReportBlankLine,
                 ReportLines, ReportList, ReportTiles, ReportCards, ReportDetails>;
struct ReportPart : ReportPartValue {
  using ReportPartValue::ReportPartValue;
};
using ReportParts = std::vector<ReportPart>;

struct ReportSection {
  std::string_view id = {};    // of the element of a page; no two sections have the same
  std::string_view name = {};  // in the list of contents of a page
  std::string heading = {};    // empty, in a terminal: none
  std::string intro = {};
  std::string_view nothing = {};  // what the section says if it has no parts
  ReportParts parts = {};
};

struct ReportPage {
  std::string title = {};
  std::string_view eyebrow = {};  // above the heading
  // The heading, or names that stand against each other in it.
  std::string_view heading = {};
  std::vector<std::string> names = {};
  ReportParts header = {};
  // The link for readers without a mouse, to one of the sections.
  std::string_view skip_text = {};
  std::string_view skip_id = {};
  std::vector<ReportSection> sections = {};
};

// Returns a list of sentences without methods.
inline ReportList ListOf(std::vector<std::string> sentences) {
  ReportList list;
  for (std::string& sentence : sentences) list.sentences.push_back({std::move(sentence), {}});
  return list;
}

// Appends a section, unless it has nothing to show.
inline void AddSection(std::string heading, ReportParts parts,
                       std::vector<ReportSection>& sections) {
  if (parts.empty()) return;
  sections.push_back({.heading = std::move(heading), .parts = std::move(parts)});
}

// Appends parts to others.
inline void AppendParts(ReportParts more, ReportParts& parts) {
  for (ReportPart& part : more) parts.push_back(std::move(part));
}

}  // namespace hashrange
