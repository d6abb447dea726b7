// The name that somebody probably meant. Pure functions.
#pragma once

#include <span>
#include <string_view>

namespace hashrange {

// Of `names` the one that takes the fewest letters to add, leave out, change or swap with their
// neighbours, if it takes few enough; empty when none is near.
std::string_view NearestName(std::string_view given, std::span<const std::string_view> names);

}  // namespace hashrange
