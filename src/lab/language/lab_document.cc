#include "lab/language/lab_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/text_encodings.h"
#include "lab/language/lab_file.h"

namespace hashrange {
namespace {

// The text of a lab file, by lines: where a place of the YAML parser is, and what stands there.
class LabSource {
 public:
  // `text` outlives the source and has no byte order mark.
  explicit LabSource(std::string_view text);

  // Returns what no YAML parser has to see: a text that is too large, is not valid UTF-8 or has
  // control characters.
  std::optional<LabFault> FirstFault(std::size_t max_bytes) const;

  // Lines and columns of marks count from 0, and columns count bytes; the numbers of a place count
  // from 1, and columns count characters. A mark behind the end is the end.
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
  // The latest place. The next one is mostly behind it, in a line that may be as long as the text.
  struct CountedColumn {
    int line = 0;
    std::size_t bytes = 0;
    int characters = 0;
  };
  mutable CountedColumn latest_ = {};
};

// Returns whether the byte is a control character that YAML does not allow.
bool IsForbidden(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

LabSource::LabSource(std::string_view text) : text_(text), lines_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines_.push_back(i + 1);
  }
}

std::optional<LabFault> LabSource::FirstFault(std::size_t max_bytes) const {
  if (text_.size() > max_bytes) {
    return LabFault{{1, 1}, "a lab file may have " + std::to_string(max_bytes) + " bytes"};
  }
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const int mark_line = static_cast<int>(line);
    std::string_view rest = Line(mark_line);
    LabPlace place{mark_line + 1, 1};
    for (; !rest.empty(); ++place.column) {
      const std::size_t bytes = FirstCharacterBytes(rest);
      if (bytes == 0) return LabFault{place, "a lab file is UTF-8; this byte is not"};
      if (IsForbidden(rest[0])) return LabFault{place, "a control character"};
      rest.remove_prefix(bytes);
    }
  }
  return {};
}

std::string_view LabSource::Line(int mark_line) const {
  const std::size_t begin = lines_[mark_line];
  const bool is_last = mark_line + 1 == static_cast<int>(lines_.size());
  return text_.substr(begin, (is_last ? text_.size() : lines_[mark_line + 1] - 1) - begin);
}

std::size_t LabSource::OffsetOf(int mark_line, int mark_column) const {
  if (mark_line < 0) return 0;
  if (mark_line >= static_cast<int>(lines_.size())) return text_.size();
  const std::size_t offset = lines_[mark_line] + std::max(mark_column, 0);
  return std::min(offset, text_.size());
}

LabPlace LabSource::PlaceOf(int mark_line, int mark_column) const {
  if (mark_line < 0) return {1, 1};
  if (mark_line >= static_cast<int>(lines_.size())) return {static_cast<int>(lines_.size()), 1};
  const std::string_view line = Line(mark_line);
  const std::size_t bytes = std::min<std::size_t>(std::max(mark_column, 0), line.size());
  if (latest_.line != mark_line || latest_.bytes > bytes) latest_ = {.line = mark_line};
  const auto starts_character = [](char c) { return (c & 0xC0) != 0x80; };
  latest_.characters += static_cast<int>(
      std::count_if(line.begin() + static_cast<std::ptrdiff_t>(latest_.bytes),
                    line.begin() + static_cast<std::ptrdiff_t>(bytes), starts_character));
  latest_.bytes = bytes;
  return {mark_line + 1, latest_.characters + 1};
}

std::pair<int, int> LabSource::MarkOf(std::size_t offset) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const auto line = next - lines_.begin() - 1;
  return {static_cast<int>(line), static_cast<int>(offset - lines_[line])};
}

bool LabSource::ClosesQuote(std::size_t offset) const {
  const char quote = offset < text_.size() ? text_[offset] : '\0';
  if (quote != '"' && quote != '\'') return true;
  for (std::size_t i = offset + 1; i < text_.size(); ++i) {
    if (text_[i] == '\\' && quote == '"') {
      ++i;
    } else if (text_[i] == quote) {
      if (quote == '"' || i + 1 == text_.size() || text_[i + 1] != '\'') return true;
      ++i;  // two single quotes are one
    }
  }
  return false;
}

bool LabSource::IsCutAt(std::size_t offset, std::string_view value) const {
  if (value.empty() || !StartsWith(offset, value)) return false;
  std::string_view rest = text_.substr(offset + value.size());
  const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
  rest.remove_prefix(blanks);
  if (blanks == 0 || !rest.starts_with('#')) return false;
  rest = rest.substr(1, rest.find('\n') - 1);
  if (rest.empty()) return false;
  const std::size_t brace = rest.find('{');
  const bool has_placeholder = brace != rest.npos && rest.find('}', brace) != rest.npos;
  return has_placeholder || (rest[0] != ' ' && rest[0] != '\t' && rest[0] != '#');
}

// Sentences about texts that are no YAML: what the author of a lab file most likely meant, from the
// parser's message and from what stands at the place where the parser stopped.

// Where the parser stopped.
struct Stop {
  const LabSource& source;
  int line;
  int column;
  std::string_view message;

  std::string_view text() const { return source.Line(line); }
  bool SaysOneOf(std::initializer_list<std::string_view> messages) const {
    return std::find(messages.begin(), messages.end(), message) != messages.end();
  }
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
  if (!stop.SaysOneOf({"unknown token", "alias not found after *", "anchor not found after &",
                       "illegal character found while scanning alias",
                       "illegal character found while scanning anchor",
                       "the referenced anchor is not defined"}))
    return {};
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
  if (!stop.SaysOneOf({"end of map flow not found", "end of sequence flow not found",
                       "illegal map value", "illegal flow end"}))
    return {};
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
  if (!stop.SaysOneOf({"illegal map value", "end of map not found", "end of sequence not found",
                       "illegal block entry", "illegal map key"}))
    return {};
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

// Returns what is wrong where the YAML parser stopped, with a message of its own, at a mark.
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

// Builds the tree from the parser's events. After the first error, events are ignored.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const LabSource& source, std::string_view name) : source_(source), name_(name) {}

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    Open(LabNode::Kind::kList, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { CloseNode(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    Open(LabNode::Kind::kMap, mark, tag, anchor, style);
  }
  void OnMapEnd() override { CloseNode(); }

  bool has_error() const { return error_.has_value(); }
  // Returns the tree, or the first error.
  Result<LabNode> TakeTree();

 private:
  struct OpenNode {
    LabNode node;
    YAML::anchor_t anchor = 0;
    bool has_name = false;  // of a map: the last member waits for its value
    std::map<std::string, LabPlace> names = {};
  };

  bool IsName() const {
    return !open_.empty() && open_.back().node.kind == LabNode::Kind::kMap &&
           !open_.back().has_name;
  }
  LabPlace PlaceOf(const YAML::Mark& mark) const { return source_.PlaceOf(mark.line, mark.column); }
  void Open(LabNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor, YAML::EmitterStyle::value style);
  void CloseNode();
  bool CheckTag(const std::string& tag, LabPlace place);
  void AddName(std::string text, bool is_quoted, LabPlace place);
  void AddNode(LabNode node, YAML::anchor_t anchor);
  bool Count(const LabNode& node, std::size_t depth, LabPlace place);
  bool CountCopy(const LabNode& node, std::size_t depth, LabPlace place);
  void Fail(LabPlace place, std::string_view sentence);

  const LabSource& source_;
  std::string_view name_;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, LabNode> anchors_;  // of the nodes that are complete
  std::optional<LabNode> root_;
  std::optional<Error> error_;
  std::size_t documents_ = 0;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

void TreeBuilder::Fail(LabPlace place, std::string_view sentence) {
  if (!error_) error_ = LabErrorAt(name_, place, sentence);
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (++documents_ < 2) return;
  const bool is_separated = source_.StartsWith(source_.OffsetOf(mark.line, mark.column), "---") ||
                            source_.StartsWith(source_.OffsetOf(mark.line, 0), "---");
  Fail(PlaceOf(mark), is_separated
                          ? "a second document begins; a lab file is one document"
                          : "the document has ended; this text is not part of it. Check the "
                            "indentation and the brackets before it");
}

bool TreeBuilder::CheckTag(const std::string& tag, LabPlace place) {
  if (tag.empty() || tag == "?" || tag == "!" || tag == "tag:yaml.org,2002:str") return true;
  Fail(place,
       "an unquoted `!` begins a tag, which a lab file has none of; put the text into quotes");
  return false;
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (error_) return;
  LabNode node;
  node.place = PlaceOf(mark);
  const std::size_t offset = source_.OffsetOf(mark.line, mark.column);
  // What stands there may also be the next name, as in "seed:\nnull_count: 1".
  const std::string_view word =
      source_.text().substr(offset, source_.text().find_first_of(" \t\r\n,]}:", offset) - offset);
  for (const std::string_view text : {"~", "null", "Null", "NULL"}) {
    if (word == text) node.text = text;
  }
  if (anchor != 0) {
    return Fail(
        node.place,
        "an unquoted `&` begins an anchor, and nothing follows it; put the text into quotes");
  }
  if (IsName()) {
    if (node.text.empty()) return Fail(node.place, "a name is missing before the `:`");
    return AddName(std::move(node.text), false, node.place);
  }
  // The mark of nothing is the mark of the next node, so the name's place is nearer.
  if (node.text.empty() && !open_.empty() && open_.back().has_name) {
    node.place = open_.back().node.members.back().place;
  }
  AddNode(std::move(node), 0);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  if (error_ || !CheckTag(tag, PlaceOf(mark))) return;
  LabNode node;
  node.place = PlaceOf(mark);
  node.text = value;
  node.is_quoted = tag != "?";
  node.is_cut = !node.is_quoted && source_.IsCutAt(source_.OffsetOf(mark.line, mark.column), value);
  if (node.is_quoted && !source_.ClosesQuote(source_.OffsetOf(mark.line, mark.column))) {
    return Fail(node.place, "this quote is not closed");
  }
  if (!IsValidUtf8(node.text)) {
    return Fail(node.place, "the text has an escape for a character that Unicode does not have");
  }
  if (!IsName()) return AddNode(std::move(node), anchor);
  if (anchor != 0) {
    if (!CountCopy(node, open_.size(), node.place)) return;
    anchors_[anchor] = node;
  }
  AddName(std::move(node.text), node.is_quoted, node.place);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (error_) return;
  const LabPlace place = PlaceOf(mark);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    return Fail(place, "this alias is inside of what it stands for");
  }
  if (!IsName()) {
    if (CountCopy(found->second, open_.size(), place)) AddNode(found->second, 0);
    return;
  }
  if (found->second.kind != LabNode::Kind::kScalar) {
    return Fail(place, "a name has to be a text; this alias stands for a list or a map");
  }
  AddName(found->second.text, true, place);
}

void TreeBuilder::Open(LabNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  if (error_) return;
  const LabPlace place = PlaceOf(mark);
  if (!CheckTag(tag, place)) return;
  if (IsName()) {
    return Fail(place,
                "a name has to be a text; an unquoted `{` begins a map and an unquoted `[` a "
                "list. Put the text into quotes");
  }
  if (open_.size() >= kMaxLabDepth) {
    return Fail(place, "lists and maps inside one another are limited to " +
                           std::to_string(kMaxLabDepth) + " levels");
  }
  OpenNode open;
  open.node.kind = kind;
  open.node.place = place;
  open.node.is_flow = style == YAML::EmitterStyle::Flow;
  open.anchor = anchor;
  open_.push_back(std::move(open));
}

void TreeBuilder::CloseNode() {
  if (error_) return;
  OpenNode closed = std::move(open_.back());
  open_.pop_back();
  AddNode(std::move(closed.node), closed.anchor);
}

void TreeBuilder::AddName(std::string text, bool is_quoted, LabPlace place) {
  OpenNode& map = open_.back();
  const auto [first, is_new] = map.names.emplace(text, place);
  if (!is_new) {
    return Fail(place, "the name \"" + text + "\" is here a second time; line " +
                           std::to_string(first->second.line) +
                           " has it, too. A name may be given once");
  }
  if (text == "<<") {
    return Fail(place, "`<<` does not merge maps in a lab file; write the members out");
  }
  bytes_ += text.size();
  map.node.members.push_back({std::move(text), place, {}, is_quoted});
  map.has_name = true;
}

// Counts one value. Returns false, with an error, where the tree becomes too large.
bool TreeBuilder::Count(const LabNode& node, std::size_t depth, LabPlace place) {
  ++nodes_;
  bytes_ += node.text.size();
  if (nodes_ <= kMaxLabNodes && bytes_ <= kMaxLabBytes && depth <= kMaxLabDepth) return true;
  Fail(place, "the document becomes too large here: it may have " + std::to_string(kMaxLabNodes) +
                  " values, aliases included, and " + std::to_string(kMaxLabDepth) +
                  " levels of lists and maps");
  return false;
}

// Counts a copy of a node, with all that is in it.
bool TreeBuilder::CountCopy(const LabNode& node, std::size_t depth, LabPlace place) {
  if (!Count(node, depth, place)) return false;
  for (const LabNode& element : node.elements) {
    if (!CountCopy(element, depth + 1, place)) return false;
  }
  for (const LabNode::Member& member : node.members) {
    bytes_ += member.name.size();
    if (!CountCopy(member.value, depth + 1, place)) return false;
  }
  return true;
}

// Adds a node whose parts are counted already.
void TreeBuilder::AddNode(LabNode node, YAML::anchor_t anchor) {
  const LabPlace place = node.place;
  if (!Count(node, open_.size(), place)) return;
  if (anchor != 0) {
    if (!CountCopy(node, open_.size(), place)) return;
    anchors_[anchor] = node;
  }
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  OpenNode& parent = open_.back();
  if (parent.node.kind == LabNode::Kind::kList) {
    parent.node.elements.push_back(std::move(node));
  } else {
    parent.node.members.back().value = std::move(node);
    parent.has_name = false;
  }
}

Result<LabNode> TreeBuilder::TakeTree() {
  if (error_) return *std::move(error_);
  if (!root_) return LabErrorAt(name_, {1, 1}, "the file is empty");
  return *std::move(root_);
}

}  // namespace

const LabNode* LabNode::Find(std::string_view name) const {
  for (const Member& member : members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

const LabNode* LabNode::Given(std::string_view name) const {
  const LabNode* const member = Find(name);
  return member != nullptr && !member->IsNull() ? member : nullptr;
}

bool LabNode::IsNull() const {
  if (kind != Kind::kScalar || is_quoted) return false;
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

Error LabErrorAt(std::string_view name, LabPlace place, std::string_view sentence) {
  std::string message(name);
  message += ':' + std::to_string(place.line) + ':' + std::to_string(place.column) + ": ";
  return ValidationError(message.append(sentence));
}

Result<LabNode> ReadLabDocument(std::string_view text, std::string_view name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const LabSource source(text);
  if (const std::optional<LabFault> fault = source.FirstFault(kMaxLabBytes)) {
    return LabErrorAt(name, fault->place, fault->sentence);
  }
  TreeBuilder builder(source, name);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    // A document that begins where another ended is an error, so this loop ends soon.
    while (!builder.has_error() && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& exception) {
    if (builder.has_error()) return builder.TakeTree();  // it stands before what the parser found
    const YAML::Mark& mark = exception.mark;
    const LabFault fault = YamlFault(source, mark.line, mark.column, exception.msg);
    return LabErrorAt(name, fault.place, fault.sentence);
  }
  return builder.TakeTree();
}

}  // namespace hashrange
