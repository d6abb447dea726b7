// Command lines for the tests of their parsers.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Returns what `parse` makes of the arguments behind `command`: "hashrange", or "copy".
template <typename Line>
Line ParseBehind(const char* command, Line (*parse)(int argc, const char* const* argv),
                 std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), command);
  return parse(static_cast<int>(arguments.size()), arguments.data());
}

// Returns the message of a refused command line without the hint after it, which names the help of
// `path`.
template <typename Parse>
std::string RefusalBy(const Parse& parse, std::string_view path) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(parse().exit_code, 2);
  const std::string said = testing::internal::GetCapturedStderr();
  constexpr std::string_view kBegin = "hashrange: ";
  const std::size_t hint = said.rfind(" (see " + std::string(path));
  EXPECT_TRUE(said.starts_with(kBegin) && hint != said.npos && said.ends_with(" --help)\n"))
      << said;
  return said.substr(kBegin.size(), hint - kBegin.size());
}

}  // namespace hashrange
