// Document paths: `a`, `a.b[3].c`, with all placeholders replaced by names. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "value/attribute_value.h"
#include "value/item.h"

namespace hashrange {

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

}  // namespace hashrange
