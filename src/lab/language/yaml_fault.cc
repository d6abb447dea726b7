#include "lab/language/yaml_fault.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace hashrange {
namespace {

// Where the parser stopped.
struct Stop {
  const LabSource& source;
  int line;
  int column;
  std::string_view message;

  std::string_view text() const { return source.Line(line); }
  char At(int place) const {
    return place >= 0 && place < static_cast<int>(text().size()) ? text()[place] : '\0';
  }
  LabFault Fault(int at_line, std::size_t at_column, std::string sentence) const {
    return {source.PlaceOf(at_line, static_cast<int>(at_column)), std::move(sentence)};
  }
};

// Returns where, in the line, a name is followed by `:` and a value without a blank between them;
// npos where it is not so.
std::size_t ColonWithoutBlank(std::string_view line) {
  const std::size_t from = std::min(line.find_first_not_of(" -"), line.size());
  const std::size_t colon = line.find(':', from);
  if (colon == line.npos || colon == from || colon + 1 >= line.size()) return line.npos;
  if (line.substr(from, colon - from).find_first_of(" \"'{[#") != line.npos) return line.npos;
  return line[colon + 1] == ' ' || line[colon + 1] == '\r' ? line.npos : colon;
}

std::optional<LabFault> TabFault(const Stop& stop) {
  const std::string_view line = stop.text();
  const std::size_t indentation = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t tab = line.substr(0, indentation).find('\t');
  if (tab == line.npos) return {};
  return stop.Fault(stop.line, tab, "a tab indents this line; YAML takes blanks only");
}

// A character that means something at the beginning of a text without quotes.
std::optional<LabFault> IndicatorFault(const Stop& stop) {
  struct Indicator {
    char c;
    std::string_view what;
  };
  constexpr Indicator kIndicators[] = {
      {'*', "an unquoted `*` begins an alias, and there is no anchor of that name"},
      {'&', "an unquoted `&` begins an anchor, and no name follows"},
      {'@', "a text without quotes may not begin with `@`"},
      {'`', "a text without quotes may not begin with a backtick"},
      {'%', "a text without quotes may not begin with `%`"},
  };
  constexpr std::string_view kMessages[] = {"unknown token",
                                            "alias not found after *",
                                            "anchor not found after &",
                                            "illegal character found while scanning alias",
                                            "illegal character found while scanning anchor",
                                            "the referenced anchor is not defined"};
  if (std::find(std::begin(kMessages), std::end(kMessages), stop.message) == std::end(kMessages)) {
    return {};
  }
  // The parser may have gone on behind the character.
  for (int column = stop.column; column >= 0 && column > stop.column - 60; --column) {
    for (const Indicator& indicator : kIndicators) {
      const char before = stop.At(column - 1);
      const bool begins = column == 0 || before == ' ' || before == '{' || before == '[';
      if (stop.At(column) != indicator.c || !begins) continue;
      return stop.Fault(stop.line, column,
                        std::string(indicator.what) + "; put the text into quotes");
    }
  }
  return {};
}

// What of a text is not what it looks like.
struct OpenText {
  // The last bracket that the text opens and never closes; npos where there is none. Text in quotes
  // and comments do not count.
  std::size_t bracket = std::string_view::npos;
  // The last `#` that begins a comment inside of brackets and probably was not meant to: it follows
  // a text without quotes, and no blank is behind it, or a bracket closes in the comment.
  std::size_t comment = std::string_view::npos;
};

// Returns whether the comment looks like the rest of the text before it. `before` ends where the
// comment begins.
bool LooksLikeText(std::string_view before, std::string_view comment) {
  const std::size_t last = before.find_last_not_of(" \t");
  if (last == before.npos || std::string_view("\n,{[}]\"'").find(before[last]) != before.npos) {
    return false;
  }
  const bool has_blank =
      comment.size() < 2 || std::string_view(" \t#").find(comment[1]) != before.npos;
  return !has_blank || comment.find_first_of("}]") != comment.npos;
}

OpenText OpenTextOf(std::string_view text) {
  OpenText open;
  std::vector<std::size_t> places;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char before = i == 0 ? '\n' : text[i - 1];
    if (quote != '\0') {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') && std::string_view(" \n[{,:").find(before) != text.npos) {
      quote = c;
    } else if (c == '#' && std::string_view(" \t\n]}").find(before) != text.npos) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      const std::string_view comment = text.substr(i, end - i);
      if (!places.empty() && LooksLikeText(text.substr(0, i), comment)) open.comment = i;
      i = end - 1;
    } else if (c == '{' || c == '[') {
      places.push_back(i);
    } else if ((c == '}' || c == ']') && !places.empty()) {
      places.pop_back();
    }
  }
  if (!places.empty()) open.bracket = places.back();
  return open;
}

// A comment that took the rest of a text, and with it the bracket that closes.
std::optional<LabFault> CommentFault(const Stop& stop) {
  constexpr std::string_view kMessages[] = {"end of map flow not found",
                                            "end of sequence flow not found", "illegal map value",
                                            "illegal flow end"};
  if (std::find(std::begin(kMessages), std::end(kMessages), stop.message) == std::end(kMessages)) {
    return {};
  }
  const std::size_t end = stop.source.OffsetOf(stop.line, stop.column);
  const std::size_t comment = OpenTextOf(stop.source.text().substr(0, end)).comment;
  if (comment == std::string_view::npos) return {};
  const auto [line, column] = stop.source.MarkOf(comment);
  return stop.Fault(line, column,
                    "this ` #` begins a comment, so the bracket that is open here is not closed; "
                    "put the text into quotes");
}

// A map in braces or a list in brackets that does not go on as it should.
std::optional<LabFault> FlowFault(const Stop& stop) {
  if (stop.message == "illegal flow end") {
    return stop.Fault(stop.line, stop.column,
                      std::string("this `") + stop.At(stop.column) +
                          "` closes nothing that was opened before it");
  }
  if (stop.message != "end of map flow not found" &&
      stop.message != "end of sequence flow not found") {
    return {};
  }
  const char c = stop.At(stop.column);
  if (c == '{' || c == '[') {
    return stop.Fault(stop.line, stop.column,
                      std::string("inside of brackets, a text without quotes ends before `") + c +
                          "`; put the text into quotes");
  }
  if (c == ':') {
    return stop.Fault(stop.line, stop.column,
                      "a second `:` in one member; put a text with a `:` into quotes");
  }
  const std::size_t open = OpenTextOf(stop.source.text()).bracket;
  if (open == std::string_view::npos || c != '\0') {
    return stop.Fault(stop.line, stop.column,
                      "a comma, or a bracket that closes, is missing before this");
  }
  const auto [line, column] = stop.source.MarkOf(open);
  return stop.Fault(line, column,
                    std::string("this `") + stop.source.text()[open] +
                        "` is not closed; mind that a `#` behind a blank or a bracket begins a "
                        "comment");
}

// A line of a block that does not fit the lines before it.
std::optional<LabFault> BlockFault(const Stop& stop) {
  constexpr std::string_view kMessages[] = {"illegal map value", "end of map not found",
                                            "end of sequence not found", "illegal block entry",
                                            "illegal map key"};
  if (std::find(std::begin(kMessages), std::end(kMessages), stop.message) == std::end(kMessages)) {
    return {};
  }
  for (int line = stop.line; line >= 0 && line >= stop.line - 1; --line) {
    const std::size_t colon = ColonWithoutBlank(stop.source.Line(line));
    if (colon == std::string_view::npos) continue;
    return stop.Fault(line, colon,
                      "a blank is missing behind this `:`; without it, YAML takes all of it for "
                      "one text");
  }
  if (stop.message == "illegal map value") {
    return stop.Fault(stop.line, stop.column,
                      "a `:` does not belong here; put a text with a `:` into quotes");
  }
  const char before = stop.At(stop.column - 1);
  if (before == '"' || before == '\'' || before == '}' || before == ']') {
    return stop.Fault(stop.line, stop.column,
                      std::string("behind the `") + before +
                          "` that closes it, the value is over; put all of the text into quotes");
  }
  return stop.Fault(stop.line, stop.column,
                    "this line does not fit the lines above it; check its indentation, and that "
                    "a `:` follows the name");
}

std::optional<LabFault> QuoteFault(const Stop& stop) {
  if (stop.message == "illegal EOF in scalar") {
    return stop.Fault(stop.line, stop.column, "a quote was opened and is not closed");
  }
  if (!stop.message.starts_with("unknown escape character")) return {};
  return stop.Fault(stop.line, stop.column,
                    "in double quotes, a backslash begins an escape, and this is none; write two "
                    "backslashes, or use single quotes");
}

}  // namespace

LabFault YamlFault(const LabSource& source, int mark_line, int mark_column,
                   std::string_view message) {
  const int last = static_cast<int>(source.lines()) - 1;
  const Stop stop{source, std::clamp(mark_line, 0, last), std::max(mark_column, 0), message};
  for (const auto look :
       {TabFault, IndicatorFault, CommentFault, FlowFault, BlockFault, QuoteFault}) {
    if (std::optional<LabFault> fault = look(stop)) return *std::move(fault);
  }
  return stop.Fault(stop.line, stop.column, "this is not YAML: " + std::string(message));
}

}  // namespace hashrange
