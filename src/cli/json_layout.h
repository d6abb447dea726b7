// JSON for people: a line for each member and element. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// Returns `json` over several lines, with two blanks for each level. `json` is valid and compact.
std::string IndentJson(std::string_view json);

}  // namespace hashrange
