// Instants and durations as text, in the JSON of control calls and on the command line. An instant
// has the form of ISO 8601 or is a number of seconds since 1970; a duration is a whole number with
// its unit: "500ms", "3s", "5m", "2h" or "2d". Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

inline constexpr std::int64_t kSecondMs = 1000;
inline constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
inline constexpr std::int64_t kHourMs = 60 * kMinuteMs;
inline constexpr std::int64_t kDayMs = 24 * kHourMs;

// Instants range from 1970-01-01T00:00:00Z to the last millisecond of the year 9999.
inline constexpr std::int64_t kLastEpochMs = 253'402'300'799'999;

// The forms of an instant, for sentences such as "… is not an instant such as …".
inline constexpr std::string_view kInstantForms =
    R"(an instant such as "2026-01-31T12:00:00Z", or seconds since 1970, before the year 10000)";

// Returns the milliseconds since 1970 of one of
//
//   2026-01-31                           midnight, UTC
//   2026-01-31T12:00[:30[.123456]]Z      UTC; a fraction is cut to milliseconds
//   2026-01-31T12:00[:30[.123456]]+02:00 in a time zone that far east of UTC
//   1769860800[.123]                     seconds since 1970
//
// Returns nullopt for any other text, for a day that is not in the calendar, a time without a zone,
// and an instant before 1970 or after kLastEpochMs.
std::optional<std::int64_t> ParseInstant(std::string_view text);

// Returns a text such as "2026-01-31T12:00:00.000Z". `epoch_ms` is from 0 to kLastEpochMs.
std::string InstantText(std::int64_t epoch_ms);

// The longest duration: the time from 1970 to the end of the year 9999.
inline constexpr std::int64_t kLongestDurationMs = kLastEpochMs;

// The forms of a duration, for the sentence of an error about any other text: "… is not a time
// with its unit, …".
inline constexpr std::string_view kDurationForms =
    R"(a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d")";

// Returns the milliseconds of a whole number and its unit; only 0 may lack the unit. Returns none
// for any other text, and for a duration longer than kLongestDurationMs.
std::optional<std::int64_t> ParseDuration(std::string_view text);

}  // namespace hashrange
