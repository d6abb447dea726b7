// Document paths: `a`, `a.b[3].c`, names resolved.
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
  std::string_view name;    // of an attribute or a map entry
  std::uint64_t index = 0;  // of a list element, when `is_index`
  bool is_index = false;

  friend bool operator==(const PathElement&, const PathElement&) = default;
};

// At least one element; the first is an attribute's name.
using Path = std::span<const PathElement>;

// In a path of an expression, the attribute's name and each `[n]` counted.
inline constexpr std::size_t kMaxPathElements = 32;

// The value at `path`, if the item has one.
std::optional<ValueView> Resolve(Path path, ItemView item);

// The value at `path` below `from`; `from` itself when the path is empty.
std::optional<ValueView> Descend(std::span<const PathElement> path, ValueView from);

// "[a, b, [1], c]", as messages print a path.
std::string PrintPath(Path path);

}  // namespace hashrange
