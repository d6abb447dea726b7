// The texts of figures in reports: the same everywhere, whatever the locale. Pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// Returns a number with three digits, or all digits before the point, in groups: "0.125", "12.5",
// "4,100", "0"; "no bound" for infinity.
std::string NumberText(double value);

// Returns a whole number in groups of three digits: "1,234,567".
std::string CountText(std::uint64_t count);

// Returns a number for the tick of an axis, with k, M or G for thousands: "500", "2.5k", "3M".
std::string TickText(double value);

// Returns US$ without the currency: cents above 1, three digits below: "1,204.50", "0.625", "0".
std::string AmountText(double usd);

// Returns a size with a unit of 1,024: "812 B", "1.5 KB", "10 GB".
std::string BytesText(double bytes);

// Returns a share, 0 to 1, in percent: "37 %", "<1 %", "0 %", "100 %" only for all.
std::string ShareText(double share);

// Returns a length of time in its two greatest units: "4 min 10 s", "2 d 3 h", "250 ms".
std::string LengthOfTimeText(std::int64_t ms);

// Returns a point in time, UTC: "2026-11-21 10:04:05".
std::string UtcText(std::int64_t epoch_ms);

// Returns a point in time as the axis of a time of `span_ms` shows it: "10:04:05", "10:04",
// "11-21 10h", "11-21".
std::string ClockTickText(std::int64_t epoch_ms, std::int64_t span_ms);

// Returns by how much `now` differs from `before`: "+12 %", "-3 %", "same", "new", "gone"; a factor
// from three times on: "x4.2".
std::string ChangeText(double now, double before);

}  // namespace hashrange
