// The number of a rule or a hold, as it stands in the path of a control call. Pure function.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hashrange {

// None for anything but digits.
inline std::optional<std::uint64_t> ParseCallId(std::string_view text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && !text.empty() ? std::optional(id) : std::nullopt;
}

}  // namespace hashrange
