#include "lab/language/lab_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>

#include "base/utf8.h"
#include "lab/language/lab_source.h"
#include "lab/language/yaml_fault.h"

namespace hashrange {
namespace {

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
  // The mark of nothing is that of what comes next, so the name's place is nearer.
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
