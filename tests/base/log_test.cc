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

using std::chrono::milliseconds;

const RepeatLimit::TimePoint kStart{std::chrono::hours(1)};

TEST(RepeatLimit, OneCauseIsLoggedOnceAMinute) {
  RepeatLimit limit;
  EXPECT_TRUE(limit.Admits(7, kStart));
  EXPECT_TRUE(limit.Admits(0, kStart));
  EXPECT_FALSE(limit.Admits(7, kStart));
  EXPECT_FALSE(limit.Admits(7, kStart + milliseconds(59'999)));
  EXPECT_TRUE(limit.Admits(7, kStart + milliseconds(60'000)));
  EXPECT_FALSE(limit.Admits(7, kStart + milliseconds(60'001)));
}

TEST(RepeatLimit, ManyCausesAreTenLinesASecond) {
  RepeatLimit limit;
  for (const int second : {0, 1}) {
    int said = 0;
    for (int i = 0; i < 1000; ++i) {
      const auto cause = static_cast<std::size_t>(1000 * second + i);
      if (limit.Admits(cause, kStart + milliseconds(1000 * second + i / 2))) ++said;
    }
    EXPECT_EQ(said, 10);
  }
}

TEST(RepeatLimit, ALineThatWasHeldBackForOtherCausesIsLoggedLater) {
  RepeatLimit limit;
  for (std::size_t i = 0; i < 10; ++i) EXPECT_TRUE(limit.Admits(i, kStart));
  EXPECT_FALSE(limit.Admits(10, kStart));
  EXPECT_TRUE(limit.Admits(10, kStart + milliseconds(1000)));
}

}  // namespace
}  // namespace hashrange
