#include "expression/path.h"

#include <algorithm>
#include <compare>
#include <string>

#include "expression/binding.h"

namespace hashrange {

std::optional<ValueView> Descend(Path path, ValueView from) {
  for (const PathElement& element : path) {
    std::optional<ValueView> child;
    if (element.is_index) {
      if (from.type == AttributeType::kL) child = FindElement(from, element.index);
    } else {
      if (from.type == AttributeType::kM) child = FindEntry(from, element.name);
    }
    if (!child) return std::nullopt;
    from = *child;
  }
  return from;
}

std::optional<ValueView> Resolve(Path path, ItemView item) {
  const std::optional<ValueView> attribute = item.Find(path.front().name);
  if (!attribute) return std::nullopt;
  return Descend(path.subspan(1), *attribute);
}

std::string PrintPath(Path path) {
  std::string text = "[";
  for (const PathElement& element : path) {
    if (text.size() > 1) text += ", ";
    if (element.is_index) {
      text += '[' + std::to_string(element.index) + ']';
    } else {
      text += element.name;
    }
  }
  return text + ']';
}

namespace {

// Orders names before indices, and ascends among names and among indices.
std::strong_ordering CompareElements(const PathElement& a, const PathElement& b) {
  if (a.is_index != b.is_index) return a.is_index <=> b.is_index;
  if (a.is_index) return a.index <=> b.index;
  return a.name <=> b.name;
}

std::size_t CommonPrefix(Path a, Path b) {
  const std::size_t end = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < end && a[i] == b[i]) ++i;
  return i;
}

bool Overlap(Path a, Path b) { return CommonPrefix(a, b) == std::min(a.size(), b.size()); }

// Whether, at the same place, one path needs a map and the other a list.
bool Conflict(Path a, Path b) {
  const std::size_t i = CommonPrefix(a, b);
  return i < a.size() && i < b.size() && a[i].is_index != b[i].is_index;
}

std::span<std::size_t> SortedPositions(std::span<const Path> paths, Arena& arena) {
  const std::span<std::size_t> positions = arena.NewArray<std::size_t>(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) positions[i] = i;
  std::sort(positions.begin(), positions.end(),
            [&](std::size_t a, std::size_t b) { return PathLess(paths[a], paths[b]); });
  return positions;
}

// Returns the message about the first two paths for which `related` is true; an empty text when
// there are no such paths.
template <typename Relation>
std::string DescribeFirstPair(std::span<const Path> paths, std::string_view verb,
                              Relation related) {
  for (std::size_t second = 1; second < paths.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (!related(paths[first], paths[second])) continue;
      return "Two document paths " + std::string(verb) +
             " with each other; must remove or rewrite one of these paths; path one: " +
             PrintPath(paths[first]) + ", path two: " + PrintPath(paths[second]);
    }
  }
  return {};
}

}  // namespace

bool PathLess(Path a, Path b) {
  const std::size_t i = CommonPrefix(a, b);
  if (i == a.size() || i == b.size()) return a.size() < b.size();
  return CompareElements(a[i], b[i]) < 0;
}

const PathNode* BuildPathTree(std::span<const Path> paths, Arena& arena) {
  std::size_t longest = 0;
  for (const Path path : paths) longest = std::max(longest, path.size());
  // Sorted paths with the same beginning are neighbours, so that nodes are added only to the
  // branch of the last path.
  const std::span<PathNode*> branch = arena.NewArray<PathNode*>(longest + 1);
  branch[0] = arena.New<PathNode>();
  Path last;
  for (const std::size_t position : SortedPositions(paths, arena)) {
    const Path path = paths[position];
    const std::size_t shared = CommonPrefix(last, path);
    for (std::size_t i = shared; i < path.size(); ++i) {
      PathNode* const node = arena.New<PathNode>(path[i]);
      // The first node below the shared part is the next sibling of the last path's node there;
      // every other node is a first child.
      (i == shared && i < last.size() ? branch[i + 1]->next_sibling : branch[i]->first_child) =
          node;
      branch[i + 1] = node;
    }
    branch[path.size()]->path = position;
    last = path;
  }
  return branch[0];
}

Status CheckPathsDistinct(ExpressionKind kind, std::span<const Path> paths, Arena& arena) {
  if (paths.size() < 2) return {};
  const std::span<const std::size_t> positions = SortedPositions(paths, arena);
  bool overlap = false;
  bool conflict = false;
  // When any two paths overlap or conflict, so do two that are neighbours in this order.
  for (std::size_t i = 1; i < positions.size(); ++i) {
    const Path a = paths[positions[i - 1]];
    const Path b = paths[positions[i]];
    overlap = overlap || Overlap(a, b);
    conflict = conflict || Conflict(a, b);
  }
  if (overlap) return ExpressionError(kind, DescribeFirstPair(paths, "overlap", Overlap));
  if (conflict) return ExpressionError(kind, DescribeFirstPair(paths, "conflict", Conflict));
  return {};
}

}  // namespace hashrange
