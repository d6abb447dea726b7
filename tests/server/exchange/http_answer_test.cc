#include "server/exchange/http_answer.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace hashrange {
namespace {

std::string HttpDateText(std::int64_t epoch_s) {
  std::string text(kHttpDateBytes, '?');
  WriteHttpDate(epoch_s, text.data());
  return text;
}

TEST(HttpDate, IsAnImfFixdate) {
  EXPECT_EQ(HttpDateText(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(HttpDateText(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(HttpDateText(951782400), "Tue, 29 Feb 2000 00:00:00 GMT");
  EXPECT_EQ(HttpDateText(253402300799), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(HttpDateText(1798761599), "Thu, 31 Dec 2026 23:59:59 GMT");
}

TEST(HttpDate, AgreesWithTheSystemOnEveryDayOfFourCenturies) {
  constexpr std::int64_t kDay = 86'400;
  for (std::int64_t day = 0; day < 146'097; ++day) {
    const std::time_t time = day * kDay + day * 7 % kDay;
    std::tm parts{};
    gmtime_r(&time, &parts);
    char expected[64];
    std::strftime(expected, sizeof(expected), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    ASSERT_EQ(HttpDateText(time), expected);
  }
}

TEST(HttpDate, TheLinesTellTheTimeOfTheMachine) {
  const auto lines_of = [](std::time_t time) {
    return "Server: Server\r\nDate: " + HttpDateText(time) + "\r\n";
  };
  const std::time_t before = std::time(nullptr) - 1;  // the coarse clock may be a tick behind
  const std::string lines(ServerLines(), kServerLinesBytes);
  const std::time_t after = std::time(nullptr);
  bool is_now = false;
  for (std::time_t time = before; time <= after; ++time) is_now |= lines == lines_of(time);
  EXPECT_TRUE(is_now) << lines;
}

}  // namespace
}  // namespace hashrange
