// Finds the name that a user probably meant. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hashrange {

// Returns the name of `names` that is made from `given` with the fewest edits; empty when each of
// them takes more than one edit and more edits than a third of the letters of `given`. An edit
// adds, leaves out or changes a letter, or swaps two neighbours.
std::string_view NearestName(std::string_view given, std::span<const std::string_view> names);

// Returns `unknown command "forkk"; did you mean fork?`, for the kind "command". The question is
// left out where no name is near.
std::string UnknownNameSentence(std::string_view kind, std::string_view given,
                                std::span<const std::string_view> names);

}  // namespace hashrange
