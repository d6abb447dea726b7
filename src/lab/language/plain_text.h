// What other readers of YAML take a text without quotes for. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// A number that JSON writes in the same way: 5, -2.5.
inline constexpr std::string_view kPlainNumber = "a number";

// Returns what readers of YAML 1.1 or 1.2 take the text for, such as "false"; "" where all of them
// take it for text. Dates and times are text here.
std::string_view OtherMeaningOf(std::string_view text);

// Returns the sentence that warns of it.
std::string OtherMeaningSentence(std::string_view text, std::string_view meaning);

}  // namespace hashrange
