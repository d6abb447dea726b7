#include "lab/run/call_arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hashrange {
namespace {

std::vector<CallArrival> AllArrivals(std::uint64_t seed, int pattern, double rate,
                                     const TrafficFactor& factor) {
  CallArrivals arrivals(seed, pattern, rate, factor);
  std::vector<CallArrival> all;
  while (const auto next = arrivals.Next()) all.push_back(*next);
  return all;
}

TEST(CallArrivals, ArePoissonAtTheDeclaredRate) {
  const TrafficFactor factor(std::vector<LabPhase>{{.length_ms = 100'000}});
  const auto all = AllArrivals(7, 0, 100, factor);
  EXPECT_NEAR(static_cast<double>(all.size()), 10'000, 4 * 100);
  // In a Poisson process of one call in 10 ms, a share of e^−1 of all windows of 10 ms has no call.
  std::vector<bool> has_call(10'000);
  for (const CallArrival& arrival : all) {
    has_call[static_cast<std::size_t>(arrival.time_us / 10'000)] = true;
  }
  const auto empty = static_cast<double>(std::count(has_call.begin(), has_call.end(), false));
  EXPECT_NEAR(empty / 10'000, 0.3679, 0.02);
}

TEST(CallArrivals, FollowTheTraffic) {
  const TrafficFactor factor(
      std::vector<LabPhase>{{.length_ms = 50'000, .from = 1}, {.length_ms = 50'000, .from = 4}});
  std::size_t before = 0, after = 0;
  for (const CallArrival& arrival : AllArrivals(7, 0, 100, factor)) {
    ++(arrival.time_us < 50'000'000 ? before : after);
  }
  EXPECT_NEAR(static_cast<double>(before), 5000, 300);
  EXPECT_NEAR(static_cast<double>(after), 20'000, 600);
}

TEST(CallArrivals, RiseAndAreNumbered) {
  const TrafficFactor factor(
      std::vector<LabPhase>{{.kind = LabPhase::Kind::kRamp, .length_ms = 9000, .to = 5}});
  std::int64_t latest = 0;
  std::uint64_t number = 0;
  for (const CallArrival& arrival : AllArrivals(1, 3, 50, factor)) {
    EXPECT_GE(arrival.time_us, latest);
    EXPECT_EQ(arrival.number, number++);
    latest = arrival.time_us;
  }
  EXPECT_GT(number, 1000U);
}

TEST(CallArrivals, RepeatWithTheSeedAndDifferWithTheSeedAndThePattern) {
  const TrafficFactor factor(std::vector<LabPhase>{{.length_ms = 1000}});
  const auto times = [&](std::uint64_t seed, int pattern) {
    std::vector<std::int64_t> all;
    for (const auto& arrival : AllArrivals(seed, pattern, 100, factor)) {
      all.push_back(arrival.time_us);
    }
    return all;
  };
  EXPECT_EQ(times(7, 2), times(7, 2));
  EXPECT_NE(times(7, 2), times(8, 2));
  EXPECT_NE(times(7, 2), times(7, 3));
}

}  // namespace
}  // namespace hashrange
