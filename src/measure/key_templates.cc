#include "measure/key_templates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/portable_math.h"
#include "base/text/short_text.h"

namespace hashrange {

// --- Tokens ---

namespace {

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Crockford's alphabet has no I, L, O and U.
bool IsUlidCharacter(char c) {
  const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  const char upper = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  return IsDigit(c) || (is_letter && upper != 'I' && upper != 'L' && upper != 'O' && upper != 'U');
}

// Returns the length of the longest beginning of `text` that follows `pattern`, in which 'd' stands
// for a digit and any other character for itself.
std::size_t MatchPattern(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  while (at < text.size() && at < pattern.size()) {
    const bool fits = pattern[at] == 'd' ? IsDigit(text[at]) : text[at] == pattern[at];
    if (!fits) break;
    ++at;
  }
  return at;
}

std::size_t CountDigits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

// Returns the length of the fraction and the zone behind a time of the day.
std::size_t LengthOfFractionAndZone(std::string_view text) {
  std::size_t at = 0;
  if (text.size() > 1 && text[0] == '.') at = 1 + CountDigits(text.substr(1));
  const std::string_view zone = text.substr(at);
  if (zone.starts_with('Z')) return at + 1;
  if (zone.starts_with('+') || zone.starts_with('-')) {
    if (const std::size_t length = MatchPattern(zone.substr(1), "dd:dd"); length == 5) {
      return at + 1 + length;
    }
  }
  return at;
}

// Returns the length of the date, with or without a time, at the beginning of `text`; 0 when there
// is none. A date may be cut off, as in begins_with(SK, "ORDER#2026-0"), behind its first dash.
std::size_t LengthOfDate(std::string_view text) {
  constexpr std::string_view kDay = "dddd-dd-dd";
  constexpr std::string_view kMinute = "Tdd:dd";
  constexpr std::string_view kSecond = ":dd";
  const std::size_t day = MatchPattern(text, kDay);
  if (day <= 4) return 0;
  if (day < kDay.size()) return day;
  std::size_t at = day;
  const std::string_view time = text.substr(at);
  const bool has_space = time.starts_with(' ');
  const std::size_t minute = MatchPattern(time, has_space ? " dd:dd" : kMinute);
  if (minute < kMinute.size()) return at + (minute + 1 == time.size() + 1 ? minute : 0);
  at += minute;
  if (MatchPattern(text.substr(at), kSecond) == kSecond.size()) at += kSecond.size();
  return at + LengthOfFractionAndZone(text.substr(at));
}

// Returns the kind of a token that is not a date and has other characters than digits.
KeyTokenKind KindOfLetters(std::string_view body) {
  constexpr std::size_t kUlidLength = 26;
  constexpr std::size_t kUuidLength = 36;
  if (body.size() == kUlidLength && body[0] >= '0' && body[0] <= '7' &&
      std::ranges::all_of(body, IsUlidCharacter)) {
    return KeyTokenKind::kUlid;
  }
  if (body.size() == kUuidLength) {
    constexpr std::array<std::size_t, 4> kDashes = {8, 13, 18, 23};
    bool is_uuid = true;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const bool is_dash = std::ranges::find(kDashes, i) != kDashes.end();
      is_uuid = is_uuid && (is_dash ? body[i] == '-' : IsHexDigit(body[i]));
    }
    if (is_uuid) return KeyTokenKind::kUuid;
  }
  return KeyTokenKind::kText;
}

}  // namespace

std::string_view KeyTokenKindName(KeyTokenKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"text", "digits", "date",  "ulid",
                                                      "uuid", "number", "binary"};
  return kNames[static_cast<std::size_t>(kind)];
}

KeyToken FirstToken(std::string_view text, const KeySeparators& separators) {
  constexpr std::size_t kYear = 4;
  const bool may_be_date = IsDigit(text[0]) && text.size() > kYear && text[kYear] == '-';
  if (may_be_date) {
    const std::size_t length = LengthOfDate(text);
    if (length > 0 && length == text.size()) return {text, 0, KeyTokenKind::kDate};
    if (length > 0 && separators.Has(text[length])) {
      return {text.substr(0, length + 1), text[length], KeyTokenKind::kDate};
    }
  }
  std::size_t end = 0;
  bool has_digits_only = true;
  while (end < text.size() && !separators.Has(text[end])) {
    has_digits_only = has_digits_only && IsDigit(text[end]);
    ++end;
  }
  const KeyTokenKind kind =
      has_digits_only && end > 0 ? KeyTokenKind::kDigits : KindOfLetters(text.substr(0, end));
  if (end == text.size()) return {text, 0, kind};
  return {text.substr(0, end + 1), text[end], kind};
}

// --- The tree ---

namespace {

constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
constexpr std::size_t kMarkBits = 512;

}  // namespace

std::uint64_t HashOfToken(std::string_view token) {
  std::uint64_t hash = token.size() * kMultiplier;
  while (!token.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(token.size(), sizeof(word));
    std::memcpy(&word, token.data(), size);
    hash = (std::rotl(hash, 23) ^ word) * kMultiplier;
    hash ^= hash >> 29;
    token.remove_prefix(size);
  }
  return hash;
}

void KeyTree::Seen::Add(std::string_view body, std::uint64_t hash) {
  const auto length = static_cast<std::uint32_t>(body.size());
  least_length = std::min(least_length, length);
  greatest_length = std::max(greatest_length, length);
  has_leading_zeros = has_leading_zeros || (length > 1 && body[0] == '0');
  const auto bit = static_cast<std::size_t>((hash * kMultiplier) >> 55);
  marks[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

void KeyTree::Seen::Add(const Seen& other) {
  least_length = std::min(least_length, other.least_length);
  greatest_length = std::max(greatest_length, other.greatest_length);
  has_leading_zeros = has_leading_zeros || other.has_leading_zeros;
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] |= other.marks[i];
}

// Linear counting.
std::uint64_t KeyTree::Seen::CountDistinct() const {
  std::size_t set = 0;
  for (const std::uint64_t word : marks) set += static_cast<std::size_t>(std::popcount(word));
  const double clear = std::max<double>(1, static_cast<double>(kMarkBits - set));
  return static_cast<std::uint64_t>(std::llround(kMarkBits * PortableLog(kMarkBits / clear)));
}

KeyTree::KeyTree(std::string_view separators) : separators_(separators) { nodes_.emplace_back(); }

KeyTree::NodeId KeyTree::Find(NodeId id) const {
  while (nodes_[id].forward != id) id = nodes_[id].forward;
  return id;
}

KeyTree::NodeId KeyTree::Insert(std::string_view text) {
  NodeId node = kRoot;
  for (std::size_t i = 0; !text.empty(); ++i) {
    const NodeId latest = i + 1 < kMaxKeyTokens ? LatestLiteral(node, text) : kRoot;
    if (latest != kRoot) {  // as for the latest key: nothing new is seen
      text.remove_prefix(nodes_[latest].token.size());
      node = latest;
      continue;
    }
    KeyToken token = FirstToken(text, separators_);
    const KeyToken rest{text, 0, KeyTokenKind::kText};
    if (i + 1 == kMaxKeyTokens) token = rest;
    const NodeId child = FindChild(node, token);
    if (child != kRoot) AddSeen(child, token);
    // In a full tree a new beginning gets no node of its own, so that the number of nodes is
    // limited: what is left of the key is one placeholder.
    if (child == kRoot && nodes_.size() >= kMaxNodes) token = rest;
    const NodeId next = child != kRoot ? child : Child(node, token);
    nodes_[node].latest = next;
    node = next;
    text.remove_prefix(token.text.size());
  }
  return node;
}

KeyTree::NodeId KeyTree::InsertOther(KeyTokenKind kind) {
  const NodeId there = FindPlaceholder(kRoot, 0, kind);
  if (there != kRoot) return there;
  Node made;
  made.is_placeholder = true;
  made.kind = kind;
  return AddNode(kRoot, std::move(made));
}

std::optional<KeyTree::NodeId> KeyTree::Match(std::string_view text) const {
  NodeId node = kRoot;
  for (std::size_t i = 0; !text.empty(); ++i) {
    const KeyToken rest{text, 0, KeyTokenKind::kText};
    KeyToken token = i + 1 == kMaxKeyTokens ? rest : FirstToken(text, separators_);
    NodeId child = FindChild(node, token);
    if (child == kRoot && nodes_.size() >= kMaxNodes) {
      token = rest;
      child = FindChild(node, token);
    }
    if (child == kRoot) return std::nullopt;
    node = child;
    text.remove_prefix(token.text.size());
  }
  return node;
}

std::optional<KeyTree::NodeId> KeyTree::MatchOther(KeyTokenKind kind) const {
  const NodeId found = FindPlaceholder(kRoot, 0, kind);
  return found == kRoot ? std::nullopt : std::optional(found);
}

KeyTree::NodeId KeyTree::FindPlaceholder(NodeId parent, char separator, KeyTokenKind kind) const {
  for (const NodeId child : nodes_[parent].children) {
    const Node& node = nodes_[child];
    if (node.is_placeholder && node.separator == separator && node.kind == kind) return child;
  }
  return kRoot;
}

// A literal token ends with its separator, so a text that begins with the same bytes has the same
// first token. Only a date goes on behind a separator, and it begins with a digit.
KeyTree::NodeId KeyTree::LatestLiteral(NodeId parent, std::string_view text) const {
  const NodeId latest = nodes_[parent].latest;
  const Node& node = nodes_[latest];
  const bool is_child = latest != kRoot && node.parent == parent && node.forward == latest;
  if (!is_child || node.is_placeholder || !text.starts_with(node.token)) return kRoot;
  if (node.separator == 0 && text.size() != node.token.size()) return kRoot;
  const bool may_be_date = text[0] >= '0' && text[0] <= '9';
  return may_be_date ? kRoot : latest;
}

// A placeholder of the kind kText takes every token.
bool KeyTree::Takes(const Node& node, const KeyToken& token) {
  if (node.is_placeholder) return node.kind == KeyTokenKind::kText || node.kind == token.kind;
  return node.token == token.text;
}

// Returns the child of `parent` that stands for the token, or the root when there is none.
KeyTree::NodeId KeyTree::FindChild(NodeId parent, const KeyToken& token) const {
  for (const NodeId child : nodes_[parent].children) {
    const Node& node = nodes_[child];
    if (node.separator == token.separator && Takes(node, token)) return child;
  }
  return kRoot;
}

void KeyTree::AddSeen(NodeId node, const KeyToken& token) {
  nodes_[node].seen.Add(token.body(), HashOfToken(token.body()));
}

// Returns the child that stands for the token, which is added when there is none.
KeyTree::NodeId KeyTree::Child(NodeId parent, const KeyToken& token) {
  if (const NodeId child = FindChild(parent, token); child != kRoot) {
    AddSeen(child, token);
    return child;
  }
  const std::string_view body = token.body();
  const bool has_room = nodes_.size() < kMaxNodes;
  Node made;
  made.separator = token.separator;
  made.kind = has_room ? token.kind : KeyTokenKind::kText;
  made.is_placeholder =
      !has_room || token.kind != KeyTokenKind::kText || body.size() > kMaxTokenBytes;
  const std::uint64_t hash = HashOfToken(body);
  if (!made.is_placeholder) {
    made.hash = hash;
    made.token = token.text;
  }
  made.seen.Add(body, hash);
  const NodeId added = AddNode(parent, std::move(made));
  Settle(parent);
  return Find(added);
}

KeyTree::NodeId KeyTree::AddNode(NodeId parent, Node node) {
  const auto id = static_cast<NodeId>(nodes_.size());
  node.parent = parent;
  node.forward = id;
  nodes_.push_back(std::move(node));
  nodes_[parent].children.push_back(id);
  return id;
}

void KeyTree::MergeNodes(NodeId from, NodeId into) {
  ++merges_;
  std::erase(nodes_[nodes_[from].parent].children, from);
  nodes_[from].forward = into;
  nodes_[into].seen.Add(nodes_[from].seen);
  const std::vector<NodeId> orphans = std::exchange(nodes_[from].children, {});
  for (const NodeId orphan : orphans) {
    nodes_[orphan].parent = into;
    nodes_[into].children.push_back(orphan);
  }
}

// A group of one kind keeps its kind.
KeyTree::NodeId KeyTree::MergeGroup(NodeId parent, char separator) {
  std::vector<NodeId> group;
  for (const NodeId child : nodes_[parent].children) {
    if (nodes_[child].separator == separator) group.push_back(child);
  }
  Node& kept = nodes_[group.front()];
  kept.is_placeholder = true;
  kept.token.clear();
  kept.hash = 0;
  for (std::size_t i = 1; i < group.size(); ++i) {
    if (nodes_[group[i]].kind != kept.kind) kept.kind = KeyTokenKind::kText;
    if (kept.attribute.empty()) kept.attribute = nodes_[group[i]].attribute;
    MergeNodes(group[i], group.front());
  }
  return group.front();
}

// Returns whether any nodes merged.
bool KeyTree::SettleGroup(NodeId parent, char separator) {
  std::size_t literals = 0, placeholders = 0;
  bool has_text = false;
  std::vector<NodeId> group;
  for (const NodeId child : nodes_[parent].children) {
    const Node& node = nodes_[child];
    if (node.separator != separator) continue;
    group.push_back(child);
    ++(node.is_placeholder ? placeholders : literals);
    has_text = has_text || (node.is_placeholder && node.kind == KeyTokenKind::kText);
  }
  if (literals > kMaxChildren || (has_text && group.size() > 1)) {
    nodes_[MergeGroup(parent, separator)].kind = KeyTokenKind::kText;
    return true;
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t j = i + 1; j < group.size(); ++j) {
      const Node &a = nodes_[group[i]], &b = nodes_[group[j]];
      const bool is_same = a.is_placeholder == b.is_placeholder && a.kind == b.kind &&
                           a.hash == b.hash && a.token == b.token;
      if (!is_same) continue;
      MergeNodes(group[j], group[i]);
      return true;
    }
  }
  return false;
}

void KeyTree::Settle(NodeId parent) {
  std::vector<NodeId> open = {parent};
  while (!open.empty()) {
    const NodeId node = Find(open.back());
    open.pop_back();
    const std::uint64_t merges = merges_;
    for (bool has_merged = true; has_merged;) {
      has_merged = SettleGroup(node, 0);
      for (const char separator : separators_.bytes()) has_merged |= SettleGroup(node, separator);
    }
    if (merges_ == merges) continue;
    for (const NodeId child : nodes_[node].children) open.push_back(child);
  }
}

std::vector<KeyTree::NodeId> KeyTree::PathTo(NodeId id) const {
  std::vector<NodeId> path;
  for (NodeId node = Find(id); node != kRoot; node = Find(nodes_[node].parent)) {
    path.push_back(node);
  }
  std::ranges::reverse(path);
  return path;
}

std::vector<KeyTree::NodeId> KeyTree::Add(const KeyTree& other) {
  std::vector<NodeId> here(other.nodes_.size(), kRoot);
  // A merged node may have an earlier or a later id than its successor; parents come first.
  for (NodeId id = 1; id < other.nodes_.size(); ++id) {
    if (other.nodes_[id].forward != id) continue;
    NodeId node = kRoot;
    for (const NodeId step : other.PathTo(id)) {
      const Node& there = other.nodes_[step];
      if (there.is_placeholder) {
        NodeId found = FindPlaceholder(node, there.separator, KeyTokenKind::kText);
        if (found == kRoot) found = FindPlaceholder(node, there.separator, there.kind);
        if (found == kRoot) {
          Node made;
          made.is_placeholder = true;
          made.separator = there.separator;
          made.kind = there.kind;
          found = AddNode(node, std::move(made));
          Settle(node);
          found = Find(found);
        }
        node = found;
      } else {
        node = Child(node, {there.token, there.separator, there.kind});
      }
    }
    nodes_[node].seen.Add(other.nodes_[id].seen);
    here[id] = node;
  }
  for (NodeId id = 1; id < other.nodes_.size(); ++id) here[id] = here[other.Find(id)];
  return here;
}

void KeyTree::MakePlaceholder(NodeId parent, char separator, std::string attribute) {
  const bool has_group = std::ranges::any_of(
      nodes_[parent].children, [&](NodeId child) { return nodes_[child].separator == separator; });
  if (!has_group) return;
  const NodeId merged = MergeGroup(parent, separator);
  nodes_[merged].attribute = std::move(attribute);
  Settle(merged);
}

std::string KeyTree::PlaceholderText(const Node& node) {
  if (!node.attribute.empty()) return node.attribute;
  return node.kind == KeyTokenKind::kText ? "…" : std::string(KeyTokenKindName(node.kind));
}

std::string KeyTree::TemplateOf(NodeId id) const {
  std::string text;
  for (const NodeId step : PathTo(id)) {
    const Node& node = nodes_[step];
    if (!node.is_placeholder) {
      text += node.token;
      continue;
    }
    text.append("{").append(PlaceholderText(node)).append("}");
    if (node.separator != 0) text += node.separator;
  }
  return text;
}

// --- Templates as texts ---

namespace {

bool HasPlaceholder(std::string_view token) { return token.find('{') != std::string_view::npos; }

// The literal text after the last placeholder.
std::string_view LiteralEnd(std::string_view text) {
  return HasPlaceholder(text) ? text.substr(text.rfind('}') + 1) : text;
}

// There are few separators, so a loop is faster than std::string_view::find.
bool IsSeparator(char c, std::string_view separators) {
  for (const char separator : separators) {
    if (c == separator) return true;
  }
  return false;
}

// The separator that ends the token, or nothing.
std::string_view EndOf(std::string_view token, std::string_view separators) {
  const bool is_ended = !token.empty() && IsSeparator(token.back(), separators);
  return is_ended ? token.substr(token.size() - 1) : std::string_view();
}

// Takes the first token off the text, which is not empty.
std::string_view TakeToken(std::string_view& text, std::string_view separators) {
  bool is_in_braces = false;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (text[end] == '{') is_in_braces = true;
    if (text[end] == '}') is_in_braces = false;
    if (!is_in_braces && IsSeparator(text[end], separators)) break;
  }
  const std::string_view token = text.substr(0, end + 1);
  text.remove_prefix(token.size());
  return token;
}

// Returns where the token begins that has the byte at `place`; the size of the text is a place,
// too.
std::size_t BeginOfToken(std::string_view text, std::size_t place, std::string_view separators) {
  while (place > 0) {
    const std::size_t separator = text.find_last_of(separators, place - 1);
    if (separator == text.npos) return 0;
    const std::size_t brace = text.substr(0, separator + 1).find_last_of("{}");
    if (brace == text.npos || text[brace] == '}') return separator + 1;
    place = brace;  // the separator is in braces
  }
  return 0;
}

// Takes the whole tokens off with which both texts begin.
void DropEqualTokens(std::string_view& a, std::string_view& b, std::string_view separators) {
  const auto differ = std::ranges::mismatch(a, b);
  const auto place = static_cast<std::size_t>(differ.in1 - a.begin());
  const std::size_t begin = BeginOfToken(a, place, separators);
  a.remove_prefix(begin);
  b.remove_prefix(begin);
}

// Returns whether the texts already differ where both are literal, at the beginning or at the end.
// This decides most comparisons without cutting the texts into tokens.
bool LiteralBeginningsDiffer(std::string_view a, std::string_view b) {
  const std::string_view literal_a = LiteralBeginning(a), literal_b = LiteralBeginning(b);
  const std::size_t size = std::min(literal_a.size(), literal_b.size());
  return literal_a.substr(0, size) != literal_b.substr(0, size);
}

bool LiteralEndsDiffer(std::string_view a, std::string_view b) {
  const std::string_view literal_a = LiteralEnd(a), literal_b = LiteralEnd(b);
  return literal_a.size() < literal_b.size() ? !literal_b.ends_with(literal_a)
                                             : !literal_a.ends_with(literal_b);
}

bool TokensCanBeEqual(std::string_view a, std::string_view b, std::string_view separators) {
  if (!HasPlaceholder(a) && !HasPlaceholder(b)) return a == b;
  return EndOf(a, separators) == EndOf(b, separators);
}

// `beginning` is the last token of a text that a key begins with.
bool TokenCanBeginWith(std::string_view token, std::string_view beginning,
                       std::string_view separators) {
  const std::string_view end = EndOf(beginning, separators);
  if (HasPlaceholder(token) || HasPlaceholder(beginning)) {
    return end.empty() || end == EndOf(token, separators);
  }
  return token.starts_with(beginning);
}

}  // namespace

std::vector<std::string_view> TemplateTokens(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> tokens;
  while (!text.empty()) tokens.push_back(TakeToken(text, separators));
  return tokens;
}

bool IsConstantTemplate(std::string_view text) { return !HasPlaceholder(text); }

std::string_view WithoutLastToken(std::string_view text, std::string_view separators) {
  return text.empty() ? text : text.substr(0, BeginOfToken(text, text.size() - 1, separators));
}

std::string_view LiteralBeginning(std::string_view text) { return text.substr(0, text.find('{')); }

bool CanBeEqual(std::string_view a, std::string_view b, std::string_view separators) {
  if (a == b) return true;
  if (LiteralBeginningsDiffer(a, b) || LiteralEndsDiffer(a, b)) return false;
  DropEqualTokens(a, b, separators);
  while (!a.empty() && !b.empty()) {
    if (!TokensCanBeEqual(TakeToken(a, separators), TakeToken(b, separators), separators)) {
      return false;
    }
  }
  return a.empty() && b.empty();
}

bool CanBeginWith(std::string_view text, std::string_view beginning, std::string_view separators) {
  if (LiteralBeginningsDiffer(text, beginning)) return false;
  DropEqualTokens(text, beginning, separators);
  while (!beginning.empty()) {
    if (text.empty()) return false;
    const std::string_view token = TakeToken(text, separators);
    const std::string_view first = TakeToken(beginning, separators);
    if (beginning.empty()) return TokenCanBeginWith(token, first, separators);
    if (!TokensCanBeEqual(token, first, separators)) return false;
  }
  return true;
}

}  // namespace hashrange
