// What the modules' functions that a host calls have in common.
#pragma once

#include <cstddef>
#include <string_view>

// Begins a function that the host calls by its name: HR_EXPORT(hashrange_answer)()->const char*.
#define HR_EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

namespace hashrange {

// Of one call.
inline constexpr std::size_t kMostInputBytes = 64 << 20;

// Takes the texts of the input one after the other. A size that is too large takes what is left.
class InputTexts {
 public:
  explicit InputTexts(std::string_view input) : rest_(input) {}
  std::string_view Next(std::size_t size) {
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace hashrange
