// JSON for people: a line for each member and element.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// `json`, which is compact and right, over several lines, each level two blanks further in.
std::string IndentJson(std::string_view json);

}  // namespace hashrange
