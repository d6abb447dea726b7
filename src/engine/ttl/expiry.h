// When an item expires, according to its time-to-live attribute
// (docs/service/12-streams-and-ttl.md, section C2). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "value/attribute_value.h"

namespace hashrange {

// Returns the time in `value`, a number of seconds since 1970 with or without a fraction, rounded
// down to milliseconds. Returns none for a value with which an item never expires: it is no number,
// or its time is before 1970 or far beyond the end of any clock.
std::optional<std::int64_t> ExpiryEpochMs(const ValueView& value);

// A time further in the past than this is taken for a mistake, and the item stays.
inline constexpr std::int64_t kLongestPastMs = 5LL * 365 * 24 * 60 * 60 * 1000;

// Returns whether an item with that time must be deleted: the time is in the past, but not by more
// than kLongestPastMs.
inline bool IsDue(std::int64_t expires_epoch_ms, std::int64_t now_epoch_ms) {
  return expires_epoch_ms < now_epoch_ms && expires_epoch_ms >= now_epoch_ms - kLongestPastMs;
}

}  // namespace hashrange
