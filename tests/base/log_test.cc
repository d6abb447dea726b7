#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

TEST(Log, WritesToTheSinkAndNowhereWithoutASink) {
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

TEST(Log, IsLoggedFromTheLeastLevelOn) {
  std::vector<LogLevel> levels;
  const auto log_all = [&](LogLevel least) {
    SetLogSink([&](LogLevel level, std::string_view) { levels.push_back(level); }, least);
    for (const LogLevel level :
         {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError}) {
      const std::size_t before = levels.size();
      Log(level, "x");
      EXPECT_EQ(IsLogged(level), levels.size() > before);
    }
    SetLogSink(nullptr);
    return std::exchange(levels, {});
  };
  EXPECT_EQ(log_all(LogLevel::kDebug).size(), 4u);
  EXPECT_EQ(log_all(LogLevel::kWarning),
            (std::vector<LogLevel>{LogLevel::kWarning, LogLevel::kError}));
  EXPECT_FALSE(IsLogged(LogLevel::kError)) << "nobody reads";
}

TEST(Log, AMessageIsOneLine) {
  std::string line;
  SetLogSink([&](LogLevel, std::string_view message) { line = message; });
  Log(LogLevel::kInfo, std::string_view("a\nb\r\t\x1b[31m\0c\x7f", 13));
  EXPECT_EQ(line, "a\\x0ab\\x0d\\x09\\x1b[31m\\x00c\\x7f");
  // U+009B begins a command on some terminals, as ESC [ does.
  Log(LogLevel::kInfo,
      "a\xc2\x9b"
      "31m");
  EXPECT_EQ(line, "a\\x9b31m");
  Log(LogLevel::kInfo, "é à 表 \xc2\xa0");
  EXPECT_EQ(line, "é à 表 \xc2\xa0");
  SetLogSink(nullptr);
}

}  // namespace
}  // namespace hashrange
