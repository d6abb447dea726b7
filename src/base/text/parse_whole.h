// ParseWhole reads a text that is a number and nothing else. A pure function; any thread.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/library_gaps.h"

namespace hashrange {

// Returns the number, in the form that std::from_chars reads; none for any other text, also for one
// with something behind the number, and for a number that a T cannot hold.
template <typename T>
std::optional<T> ParseWhole(std::string_view text) {
  T number{};
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = FromChars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

}  // namespace hashrange
