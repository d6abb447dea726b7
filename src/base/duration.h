// Durations as text, on the command line and in the control API: a whole number and
// its unit, "500ms", "3s", "5m", "2h" or "2d". Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hashrange {

// The longest duration: the time from 1970 to the end of the year 9999.
inline constexpr std::int64_t kLongestDurationMs = 253'402'300'799'999;

// The forms of a duration, for the sentence of an error about any other text: "… is not a time
// with its unit, …".
inline constexpr std::string_view kDurationForms =
    R"(a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d")";

// Returns the milliseconds of a whole number and its unit; only 0 may lack the unit. Returns none
// for any other text, and for a duration longer than kLongestDurationMs.
std::optional<std::int64_t> ParseDuration(std::string_view text);

}  // namespace hashrange
