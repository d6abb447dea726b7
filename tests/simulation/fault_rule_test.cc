// Tests at which of the matching calls a rule fires.
#include "simulation/fault_rule.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace hashrange {
namespace {

FaultSpec Every(std::uint64_t every, std::uint64_t skip = 0,
                std::optional<std::uint64_t> times = {}) {
  FaultSpec spec;
  spec.every = every;
  spec.skip = skip;
  spec.times = times;
  return spec;
}

FaultSpec Probably(double probability, std::uint64_t seed) {
  FaultSpec spec;
  spec.probability = probability;
  spec.seed = seed;
  return spec;
}

// Returns "x" for each match at which the rule fires, "·" for the others.
std::string Fires(FaultRule& rule, int count) {
  std::string fires;
  for (int i = 0; i < count; ++i) fires += rule.Decide() ? 'x' : '.';
  return fires;
}

std::string Fires(FaultSpec spec, int count) {
  FaultRule rule(1, std::move(spec));
  return Fires(rule, count);
}

TEST(FaultRule, FiresAtEveryMatchingCall) { EXPECT_EQ(Fires(Every(1), 4), "xxxx"); }

TEST(FaultRule, CountsFromOne) {
  EXPECT_EQ(Fires(Every(3), 9), "..x..x..x");
  EXPECT_EQ(Fires(Every(1, 2), 5), "..xxx");
  EXPECT_EQ(Fires(Every(3, 2), 9), "....x..x.");
  EXPECT_EQ(Fires(Every(1, 0, 2), 5), "xx...");
  EXPECT_EQ(Fires(Every(3, 2, 1), 9), "....x....");
  EXPECT_EQ(Fires(Every(UINT64_MAX, UINT64_MAX, UINT64_MAX), 3), "...");
}

TEST(FaultRule, CountsWhatMatchedAndWhereItFired) {
  FaultRule rule(7, Every(2, 1, 2));
  EXPECT_EQ(Fires(rule, 8), "..x.x...");
  EXPECT_EQ(rule.id(), 7u);
  EXPECT_EQ(rule.matches(), 8u);
  EXPECT_EQ(rule.hits(), 2u);
}

TEST(FaultRule, TheSameSeedThrowsTheSameCoins) {
  const std::string first = Fires(Probably(0.5, 11), 200);
  EXPECT_EQ(Fires(Probably(0.5, 11), 200), first);
  EXPECT_NE(Fires(Probably(0.5, 1ull << 40), 200), first);
}

// Neither does one seed give the sequence of another, shifted by some calls.
TEST(FaultRule, SeedsThatFollowOneAnotherThrowCoinsOfTheirOwn) {
  constexpr int kCalls = 400, kMostShift = 64;
  std::vector<std::string> sequences;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    sequences.push_back(Fires(Probably(0.5, seed), kCalls + kMostShift));
  }
  for (std::size_t a = 0; a < sequences.size(); ++a) {
    for (std::size_t b = 0; b < sequences.size(); ++b) {
      for (std::size_t shift = a == b ? 1 : 0; shift <= kMostShift; ++shift) {
        int same = 0;
        for (std::size_t i = 0; i < kCalls; ++i) same += sequences[a][i] == sequences[b][i + shift];
        // Of 400 fair coins, fewer than 250 agree in all but one of a million cases.
        EXPECT_LT(same, 250) << a << " and " << b << ", shifted by " << shift;
        EXPECT_GT(same, 150) << a << " and " << b << ", shifted by " << shift;
      }
    }
  }
}

TEST(FaultRule, FiresAsOftenAsItsProbabilitySays) {
  for (const double probability : {0.1, 0.5, 0.9}) {
    const std::string fires = Fires(Probably(probability, 3), 20'000);
    const auto share = static_cast<double>(std::ranges::count(fires, 'x')) / 20'000;
    EXPECT_NEAR(share, probability, 0.015);
  }
}

TEST(FaultRule, LatencyIsFixedOrDrawnFromItsRange) {
  FaultSpec spec;
  spec.action.latency_ms = spec.action.max_latency_ms = 50;
  EXPECT_EQ(FaultRule(1, spec).Decide(), 50);
  spec.action.max_latency_ms = 53;
  FaultRule rule(1, spec), again(2, spec);
  std::vector<int> seen(4);
  for (int i = 0; i < 400; ++i) {
    const auto delay_ms = rule.Decide();
    ASSERT_TRUE(delay_ms);
    ASSERT_GE(*delay_ms, 50);
    ASSERT_LE(*delay_ms, 53);
    EXPECT_EQ(again.Decide(), delay_ms);
    ++seen[static_cast<std::size_t>(*delay_ms - 50)];
  }
  for (const int count : seen) EXPECT_GT(count, 50);
}

// The counts do not depend on the order in which the threads ask.
TEST(FaultRule, IsExactUnderThreads) {
  constexpr int kThreads = 4, kCalls = 20'000;
  const auto hits_of = [](FaultSpec spec) {
    FaultRule rule(1, std::move(spec));
    std::vector<std::uint64_t> fired(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (int call = 0; call < kCalls; ++call) {
          if (rule.Decide()) ++fired[static_cast<std::size_t>(i)];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::uint64_t sum = 0;
    for (const std::uint64_t each : fired) sum += each;
    EXPECT_EQ(rule.matches(), std::uint64_t{kThreads} * kCalls);
    EXPECT_EQ(rule.hits(), sum);
    return sum;
  };
  EXPECT_EQ(hits_of(Every(1, 0, 100)), 100u);
  EXPECT_EQ(hits_of(Every(7)), std::uint64_t{kThreads} * kCalls / 7);
  EXPECT_EQ(hits_of(Every(7, 100, 50)), 50u);
  const std::uint64_t coins = hits_of(Probably(0.3, 5));
  EXPECT_EQ(hits_of(Probably(0.3, 5)), coins);
}

}  // namespace
}  // namespace hashrange
