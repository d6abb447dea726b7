#include "measure/key_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace hashrange {
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
  const std::uint64_t bit = (hash * kMultiplier) >> 55;
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
  return static_cast<std::uint64_t>(std::llround(kMarkBits * std::log(kMarkBits / clear)));
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
KeyTree::NodeId KeyTree::FindChild(NodeId parent, const KeyToken& token) {
  for (const NodeId child : nodes_[parent].children) {
    Node& node = nodes_[child];
    if (node.separator != token.separator || !Takes(node, token)) continue;
    node.seen.Add(token.body(), HashOfToken(token.body()));
    return child;
  }
  return kRoot;
}

// Returns the child that stands for the token, which is added when there is none.
KeyTree::NodeId KeyTree::Child(NodeId parent, const KeyToken& token) {
  if (const NodeId child = FindChild(parent, token); child != kRoot) return child;
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

}  // namespace hashrange
