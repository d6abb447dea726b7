// A tree of document paths. Siblings ascend (names before indices), so that the tree can be
// walked together with a map or a list. Projections and updates use such trees. Pure
// functions; the trees are stored in the arena.
//
//   a, b.c, b.d[0]     root ─ a*
//                           └ b ─ c*
//                               └ d ─ [0]*          * a path ends here
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "expression/path.h"

namespace hashrange {

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
