// Durations as people write them, on the command line and in the control API: a whole number and
// its unit, "500ms", "3s", "5m", "2h" or "2d". Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hashrange {

// No duration is longer: what there is between 1970 and the year 10000.
inline constexpr std::int64_t kLongestDurationMs = 253'402'300'799'999;

// For sentences about what is no duration: "it is not …".
inline constexpr std::string_view kDurationForms =
    R"(a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d")";

// The milliseconds of a whole number and its unit. Only 0 may do without one. None for anything
// else, and for what is longer than kLongestDurationMs.
std::optional<std::int64_t> ParseDuration(std::string_view text);

}  // namespace hashrange
