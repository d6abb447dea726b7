// The texts of points and lengths of time in reports: the same everywhere, whatever the locale.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// Returns a length of time in its two greatest units: "4 min 10 s", "2 d 3 h", "250 ms".
std::string LengthOfTimeText(std::int64_t ms);

// Returns a point in time, UTC: "2026-11-21 10:04:05".
std::string UtcText(std::int64_t epoch_ms);

// Returns a point in time as the axis of a time of `span_ms` shows it: "10:04:05", "10:04",
// "11-21 10h", "11-21".
std::string ClockTickText(std::int64_t epoch_ms, std::int64_t span_ms);

}  // namespace hashrange
