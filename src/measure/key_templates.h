// Key templates: what the values of a key attribute have in common, "ORDER#{date}#{order_id}". A
// template is the literal tokens of the keys and, in braces, placeholders; a token ends with its
// separator, and a placeholder stands for the text of one token.
//
//   "USER#7#2026-01-31"  →  "USER#" (text) · "7#" (digits) · "2026-01-31" (date)
//
// KeyTree finds the templates of values, and the functions behind it compare templates as texts.
// Functions are pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/memory_reserve.h"

namespace hashrange {

// What a token looks like without its separator. A token of any kind but kText is taken as a value
// that differs from key to key. kNumber and kBinary are whole keys of the types N and B.
enum class KeyTokenKind : std::uint8_t { kText, kDigits, kDate, kUlid, kUuid, kNumber, kBinary };

// Returns "text", "digits", …
std::string_view KeyTokenKindName(KeyTokenKind kind);

struct KeyToken {
  std::string_view text;  // with its separator
  char separator = 0;     // 0: the key ends without a separator
  KeyTokenKind kind = KeyTokenKind::kText;

  std::string_view body() const { return text.substr(0, text.size() - (separator != 0)); }
};

inline constexpr std::size_t kMaxKeyTokens = 12;

// The bytes behind which a key is cut.
class KeySeparators {
 public:
  explicit KeySeparators(std::string_view bytes) : bytes_(bytes) {
    for (const char c : bytes) words_[Byte(c) / 64] |= std::uint64_t{1} << (Byte(c) % 64);
  }

  bool Has(char c) const { return words_[Byte(c) / 64] >> (Byte(c) % 64) & 1; }
  const std::string& bytes() const { return bytes_; }

 private:
  static std::size_t Byte(char c) { return static_cast<unsigned char>(c); }

  std::string bytes_;
  std::array<std::uint64_t, 4> words_ = {};
};

// Returns the first token of `text`, which is not empty. A date with a time is one token, even when
// a separator is in it.
KeyToken FirstToken(std::string_view text, const KeySeparators& separators);

// KeyTree finds the templates of the values of one key attribute: "USER#{…}", "ORDER#{date}#{…}".
// It is a prefix tree over the tokens of the values:
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
  // Return the same nodes without adding any; nullopt when the tree has no such template. Nodes
  // that are counted as seen stay as they are.
  std::optional<NodeId> Match(std::string_view text) const;
  std::optional<NodeId> MatchOther(KeyTokenKind kind) const;
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
  // Returns whether the node, whose separator is the token's, stands for the token.
  static bool Takes(const Node& node, const KeyToken& token);
  NodeId FindChild(NodeId parent, const KeyToken& token) const;
  NodeId Child(NodeId parent, const KeyToken& token);
  // Counts the token as seen in the place of the node, which stands for it.
  void AddSeen(NodeId node, const KeyToken& token);
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

// --- Templates as texts ---

// Returns the tokens, each with the separator that ends it: "ORDER#", "{date}#", "{order_id}".
// Separators in braces separate nothing. The tokens are views into `text`.
std::vector<std::string_view> TemplateTokens(std::string_view text, std::string_view separators);

// Returns whether a key has this template only if the key is this very text.
bool IsConstantTemplate(std::string_view text);

// Returns what precedes the last token: "STATUS#" of "STATUS#open", nothing of "CUSTOMER".
std::string_view WithoutLastToken(std::string_view text, std::string_view separators);

// Returns the literal text before the first placeholder.
std::string_view LiteralBeginning(std::string_view text);

// Returns whether one key can have both templates.
bool CanBeEqual(std::string_view a, std::string_view b, std::string_view separators);

// Returns whether a key of template `text` can begin with a text of template `beginning`.
bool CanBeginWith(std::string_view text, std::string_view beginning, std::string_view separators);

}  // namespace hashrange
