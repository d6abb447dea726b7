#include "base/repeat_limit.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

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
