// Document paths: `a`, `a.b[3].c`, with all placeholders replaced by names, alone or as a tree.
// Pure functions; trees are stored in the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "value/attribute_value.h"
#include "value/item.h"

namespace hashrange {

enum class ExpressionKind;  // expression/expression.h

struct PathElement {
  std::string_view name;    // the name of an attribute or a map entry
  std::uint64_t index = 0;  // `is_index`: the index of a list element
  bool is_index = false;

  friend bool operator==(const PathElement&, const PathElement&) = default;
};

// A path from the top of an item: it has at least one element, and the first is an attribute's
// name. (Descend also takes a path below a value, which may be empty.)
using Path = std::span<const PathElement>;

// The most elements of a path of an expression; each name and each `[n]` is one element.
inline constexpr std::size_t kMaxPathElements = 32;

// Returns the value at `path`, if the item has one.
std::optional<ValueView> Resolve(Path path, ItemView item);

// Returns the value at `path` below `from`, if there is one. For an empty path the value is `from`.
std::optional<ValueView> Descend(std::span<const PathElement> path, ValueView from);

// Returns the path as messages print it: "[a, b, [1], c]" for a.b[1].c.
std::string PrintPath(Path path);

// A node of a tree of paths. Siblings ascend (names before indices), so that the tree can be walked
// together with a map or a list. Projections and updates use such trees.
//
//   a, b.c, b.d[0]     root ─ a*
//                           └ b ─ c*
//                               └ d ─ [0]*          * a path ends here
struct PathNode {
  static constexpr std::size_t kNoPath = ~std::size_t{0};

  PathElement element;
  std::size_t path = kNoPath;  // the position, in the list of paths, of the path that ends here
  PathNode* first_child = nullptr;
  PathNode* next_sibling = nullptr;

  bool ends_path() const { return path != kNoPath; }
};

// Returns whether `a` comes before `b`: by the first elements that differ, names before indices; a
// path comes before those that it begins.
bool PathLess(Path a, Path b);

// Returns the root of the tree of `paths`. No path may be the beginning of another.
// Cost: O(n log n) for n paths; one node for each element of a path, shared where paths begin
// alike.
const PathNode* BuildPathTree(std::span<const Path> paths, Arena& arena);

// Checks that no path is equal to another path or the beginning of another path (overlap), and that
// no two paths use the same place as a map and as a list (conflict).
// Errors: ValidationException "Invalid <Kind>: …"  two paths overlap or, when none overlap,
//         conflict (docs/service/04-expressions.md, sections 8 and 9); "path one" is the earlier in
//         the text
Status CheckPathsDistinct(ExpressionKind kind, std::span<const Path> paths, Arena& arena);

}  // namespace hashrange
