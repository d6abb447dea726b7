// A tree of document paths, siblings ascending (names before indices), so that it can be
// walked together with a map or a list. Projections and updates are such trees.
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
  std::size_t path = kNoPath;  // the position of the path that ends here
  PathNode* first_child = nullptr;
  PathNode* next_sibling = nullptr;

  bool ends_path() const { return path != kNoPath; }
};

// The tree of `paths`, none of which is a beginning of another.
// Cost: n log n; one node for each element.
const PathNode* BuildPathTree(std::span<const Path> paths, Arena& arena);

// Errors: ValidationException "Invalid <Kind>: …"  two paths overlap or, when none do,
//         conflict (docs/service/04-expressions.md, sections 8 and 9); path one is the earlier
Status CheckPathsDistinct(ExpressionKind kind, std::span<const Path> paths, Arena& arena);

}  // namespace hashrange
