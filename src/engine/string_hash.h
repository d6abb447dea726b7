// Hash and equality for hash maps whose keys are strings, looked up by std::string_view
// without making a string. (The container library's own string hash wants a view type that
// does not convert.)
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace hashrange {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

struct StringEqual {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return a == b; }
};

}  // namespace hashrange
