#include "lab/run/call_bound.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/run/lab_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

// Returns a file of two patterns, of 1,000 and of 2,000 calls a second.
LabFile FileOfTraffic(LabPhase phase) {
  LabFile file;
  file.patterns = {{.name = "read", .calls_per_second = 1000},
                   {.name = "write", .calls_per_second = 2000},
                   {.name = "without a rate"}};
  file.traffic = {phase};
  return file;
}

constexpr std::int64_t kDayMs = 86'400'000;

TEST(CallBound, TrafficOfAFewHoursOfWorkMayRun) {
  EXPECT_TRUE(CheckCallCount(FileOfTraffic({.length_ms = kDayMs}), 1).ok());
}

TEST(CallBound, MoreCallsAreRefusedWithTheirNumberAndWhatToDo) {
  const LabFile file = FileOfTraffic({.length_ms = 10 * kDayMs});
  const Status refused = CheckCallCount(file, 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "the traffic would make 2,592,000,000 calls in each layout, and a run makes "
            "1,000,000,000 at most; make the phases of `traffic` shorter, or run with --thin 3, "
            "which makes one of 3 calls");
  EXPECT_FALSE(CheckCallCount(file, 2).ok());
  EXPECT_TRUE(CheckCallCount(file, 3).ok());
  // The number can be given to the option as it stands.
  const LabFile longer = FileOfTraffic({.length_ms = 10'000 * kDayMs});
  EXPECT_TRUE(CheckCallCount(longer, 1).error().message.ends_with(
      "or run with --thin 2592, which makes one of 2592 calls"));
}

TEST(CallBound, FactorsOfTheTrafficCount) {
  EXPECT_FALSE(CheckCallCount(FileOfTraffic({.length_ms = kDayMs, .from = 4, .to = 4}), 1).ok());
}

TEST(CallBound, MoreCallsThanAnyThinRunMakesAreRefusedWithoutTheirNumber) {
  const std::string sentence =
      "the traffic has more than 1,000,000,000,000,000 calls in each layout, and a run makes "
      "1,000,000,000 at most; make the phases of `traffic` shorter, or its rates lower";
  // The second one is infinite.
  for (const double factor : {1e10, 1e308}) {
    const LabFile file = FileOfTraffic({.length_ms = kDayMs, .from = factor, .to = factor});
    const Status refused = CheckCallCount(file, 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, sentence);
    EXPECT_FALSE(CheckCallCount(file, kGreatestThin).ok());
  }
}

TEST(CallBound, ARunChecksItFirst) {
  LabFile file = lab_run_test::FileOf(lab_run_test::kSmallShop);
  file.patterns.front().calls_per_second = 1e9;
  const auto result = RunLab(file, {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("--thin 46"), std::string::npos) << result.error().message;
}

}  // namespace
}  // namespace hashrange
