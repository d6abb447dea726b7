// KeyTree finds the templates of the values of one key attribute: "USER#{…}", "ORDER#{date}#{…}".
// It is a prefix tree over the tokens of the values (key_token.h):
//
//   (root) ── "USER#" ── {digits}
//          └─ "ORDER#" ── {date}# ── {…}
//
//   - A token that looks like a value (digits, a date, a ULID, a UUID) is a placeholder at once.
//   - When a node has more than kMaxChildren other tokens with the same separator, these tokens and
//     the placeholders beside them become one placeholder, and what is below them merges.
//
// A node stands for the template of the path to it. A node that merged into another one forwards
// its id: Find returns the id that is in use. The number of nodes is limited; what finds no room
// becomes a placeholder. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_reserve.h"
#include "measure/key_token.h"

namespace hashrange {

class KeyTree {
 public:
  using NodeId = std::uint32_t;
  static constexpr NodeId kRoot = 0;
  static constexpr std::size_t kMaxChildren = 32;
  static constexpr std::size_t kMaxNodes = 4096;
  // A longer literal token is a placeholder: it is hardly one that a designer wrote.
  static constexpr std::size_t kMaxTokenBytes = 64;

  // What was seen in the place of a placeholder, or of a literal token.
  struct Seen {
    std::uint32_t least_length = UINT32_MAX;
    std::uint32_t greatest_length = 0;
    bool has_leading_zeros = false;
    std::array<std::uint64_t, 8> marks = {};  // one bit for each hash of a token, modulo 512

    void Add(std::string_view body, std::uint64_t hash);
    void Add(const Seen& other);
    // Returns about how many different tokens were seen; at most about 3,000.
    std::uint64_t CountDistinct() const;
  };

  struct Node {
    NodeId parent = kRoot;
    NodeId forward = 0;  // of a node that was merged: its successor; otherwise its own id
    bool is_placeholder = false;
    char separator = 0;
    KeyTokenKind kind = KeyTokenKind::kText;
    std::uint64_t hash = 0;  // of a literal token
    std::string token;       // of a literal, with its separator
    std::string attribute;   // of a placeholder: the attribute whose value it equals; may be empty
    std::vector<NodeId> children = {};
    NodeId latest = kRoot;  // the child that the latest key had; it may have merged or moved since
    Seen seen = {};
  };

  explicit KeyTree(std::string_view separators);

  // Returns the node of the template of `text`, which is added when it is new. The empty text has
  // the root.
  NodeId Insert(std::string_view text);
  // Returns the node of a whole key of the type N or B.
  NodeId InsertOther(KeyTokenKind kind);
  // Returns the id in use of a node that Insert returned earlier.
  NodeId Find(NodeId id) const;
  // Returns the nodes of the path from the root to `id`, without the root.
  std::vector<NodeId> PathTo(NodeId id) const;

  // Adds every node of another tree with the same separators. Returns the node here for each of
  // the nodes there; call Find on it, as later nodes may merge earlier ones.
  std::vector<NodeId> Add(const KeyTree& other);
  // Makes one placeholder with the name `attribute` of all children of `parent` that end with
  // `separator`.
  void MakePlaceholder(NodeId parent, char separator, std::string attribute);

  // Returns the template's text: "USER#{customer_id}", "ORDER#{date}#{…}".
  std::string TemplateOf(NodeId id) const;
  // Returns the text of one placeholder without braces.
  static std::string PlaceholderText(const Node& node);

  using Nodes = std::vector<Node, ReservedAllocator<Node, MemoryPart::kMeasurements>>;
  const Nodes& nodes() const { return nodes_; }
  // Changes whenever nodes merge.
  std::uint64_t merges() const { return merges_; }
  const KeySeparators& separators() const { return separators_; }

 private:
  // Returns the literal child that the latest key had, if `text` begins with its token, too;
  // otherwise the root.
  NodeId LatestLiteral(NodeId parent, std::string_view text) const;
  // Returns whether the node, whose separator is that of the token, stands for the token.
  static bool Takes(const Node& node, const KeyToken& token);
  NodeId FindChild(NodeId parent, const KeyToken& token);
  NodeId Child(NodeId parent, const KeyToken& token);
  NodeId FindPlaceholder(NodeId parent, char separator, KeyTokenKind kind) const;
  NodeId AddNode(NodeId parent, Node node);
  // Merges `from` into its sibling `into`. What is below them is merged by Settle.
  void MergeNodes(NodeId from, NodeId into);
  // Merges all children of `parent` that end with `separator`. Returns the merged child.
  NodeId MergeGroup(NodeId parent, char separator);
  // Merges those children of `parent` that stand for the same tokens, and groups that are too
  // large; then the same below the merged nodes.
  void Settle(NodeId parent);
  bool SettleGroup(NodeId parent, char separator);

  KeySeparators separators_;
  Nodes nodes_;
  std::uint64_t merges_ = 0;
};

// Returns a hash of a token's bytes.
std::uint64_t HashOfToken(std::string_view token);

}  // namespace hashrange
