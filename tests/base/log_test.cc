#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

TEST(Log, GoesToTheSinkAndNowhereWithoutOne) {
  std::vector<std::pair<LogLevel, std::string>> lines;
  Log(LogLevel::kError, "before");
  SetLogSink([&](LogLevel level, std::string_view message) { lines.emplace_back(level, message); });
  Log(LogLevel::kInfo, "one");
  Log(LogLevel::kWarning, "two");
  SetLogSink(nullptr);
  Log(LogLevel::kError, "after");
  const std::vector<std::pair<LogLevel, std::string>> expected = {{LogLevel::kInfo, "one"},
                                                                  {LogLevel::kWarning, "two"}};
  EXPECT_EQ(lines, expected);
}

}  // namespace
}  // namespace hashrange
