// Lists of names without repeats, in the order in which the names came. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace hashrange {

inline bool HasName(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Adds the name unless it is there.
inline void AddName(const std::string& name, std::vector<std::string>& names) {
  if (!HasName(names, name)) names.push_back(name);
}

}  // namespace hashrange
