#include "measure/meter/key_counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "measure/key_templates.h"

namespace hashrange {
namespace {

// As good as the hash of a partition key.
std::uint64_t HashOf(const std::string& key) {
  std::mt19937_64 mixed(HashOfToken(key));
  return mixed();
}

TEST(TopCounter, CountsFewKeysExactly) {
  TopCounter counter;
  for (int i = 0; i < 10; ++i) {
    const std::string key = "key " + std::to_string(i);
    for (int j = 0; j <= i; ++j) counter.Add(HashOf(key), key, 0.5);
  }
  const auto all = counter.All();
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all[0].key, "key 9");
  EXPECT_EQ(all[0].units, 5);
  EXPECT_EQ(all[0].error, 0);
  EXPECT_EQ(all[9].units, 0.5);
  EXPECT_EQ(counter.total(), 27.5);
  EXPECT_EQ(counter.MissedAtMost(), 0);
}

TEST(TopCounter, LongKeysAreCutOff) {
  TopCounter counter;
  counter.Add(1, std::string(500, 'x'), 1);
  EXPECT_EQ(counter.All()[0].key, std::string(TopCounter::kMaxKeyBytes, 'x'));
}

// Checks the bounds of the header for every key, also for keys without a counter.
void ExpectBounds(const std::vector<const TopCounter*>& counters,
                  const std::map<std::string, double>& truth) {
  const TopSum sum = SumOf(counters);
  std::map<std::string, TopCounter::Counted> counted;
  for (const TopCounter::Counted& each : sum.keys) counted[each.key] = each;
  EXPECT_EQ(counted.size(), sum.keys.size());
  double total = 0;
  for (const auto& [key, units] : truth) {
    total += units;
    const auto found = counted.find(key);
    if (found == counted.end()) {
      EXPECT_LE(units, sum.missed_at_most) << key;
      continue;
    }
    EXPECT_LE(units, found->second.units) << key;
    EXPECT_GE(units, found->second.units - found->second.error) << key;
  }
  EXPECT_EQ(sum.total, total);
  EXPECT_TRUE(
      std::ranges::is_sorted(sum.keys, std::ranges::greater(), &TopCounter::Counted::units));
}

// The bounds of the header hold for every key, however many keys there are; hot keys are found.
TEST(TopCounter, BoundsHoldWithManyMoreKeysThanCounters) {
  std::mt19937 random(5);
  TopCounter counters[2];
  std::map<std::string, double> truth;
  for (int i = 0; i < 200'000; ++i) {
    const int rank =
        random() % 4 == 0 ? static_cast<int>(random() % 20) : static_cast<int>(random() % 100'000);
    const std::string key = "key " + std::to_string(rank);
    const double units = 0.5 * static_cast<double>(1 + random() % 4);
    counters[random() % 2].Add(HashOf(key), key, units);
    truth[key] += units;
  }
  ExpectBounds({&counters[0], &counters[1]}, truth);
  std::set<std::string> counted;
  for (const auto& each : SumOf({&counters[0], &counters[1]}).keys) counted.insert(each.key);
  for (int rank = 0; rank < 20; ++rank) {
    EXPECT_TRUE(counted.contains("key " + std::to_string(rank))) << rank;
  }
}

// In each turn other keys are hot, and hotter than those before, so that these lose their counters;
// each thread counts some of the keys only.
TEST(TopCounter, BoundsHoldForKeysThatSomeThreadsHaveForgotten) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    for (const int keys_a_turn : {20, 300, 1000}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, " << keys_a_turn << " keys");
      std::mt19937 random(8);
      std::vector<TopCounter> counters(threads);
      std::map<std::string, double> truth;
      for (int turn = 0; turn < 6; ++turn) {
        for (int i = 0; i < keys_a_turn; ++i) {
          const std::string key = "key " + std::to_string(turn) + "." + std::to_string(i);
          for (TopCounter& counter : counters) {
            if (random() % 4 == 0) continue;
            const double units = (1 + turn) * 10.0 + static_cast<double>(random() % 5);
            counter.Add(HashOf(key), key, units);
            truth[key] += units;
          }
        }
      }
      std::vector<const TopCounter*> all;
      for (const TopCounter& counter : counters) all.push_back(&counter);
      ExpectBounds(all, truth);
      if (keys_a_turn > 20) continue;
      for (const TopCounter::Counted& each : SumOf(all).keys) {  // each has a counter of its own
        EXPECT_EQ(each.units, truth[each.key]) << each.key;
        EXPECT_EQ(each.error, 0) << each.key;
      }
    }
  }
}

TEST(TopCounter, ClearForgetsTheCounts) {
  TopCounter counter;
  counter.Add(1, "a", 1);
  counter.Clear();
  EXPECT_TRUE(counter.empty());
  EXPECT_TRUE(counter.All().empty());
  counter.Add(1, "a", 2);
  EXPECT_EQ(counter.All()[0].units, 2);
}

TEST(DistinctCounter, EstimatesWithinFivePercent) {
  for (const int count : {0, 1, 100, 5000, 1'000'000}) {
    DistinctCounter first, second;
    std::mt19937_64 hashes(9);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t hash = hashes();
      (i % 2 ? first : second).Add(hash);
      first.Add(hash);  // repeats change nothing
    }
    first.Add(second);
    EXPECT_NEAR(first.Estimate(), count, 0.05 * count) << count;
  }
}

}  // namespace
}  // namespace hashrange
