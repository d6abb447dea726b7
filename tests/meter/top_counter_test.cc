#include "meter/top_counter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "measure/key_tree.h"
#include "meter/distinct_counter.h"

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
  const TopSum sum = SumOf({&counters[0], &counters[1]});
  EXPECT_EQ(sum.total, counters[0].total() + counters[1].total());
  std::map<std::string, TopCounter::Counted> counted;
  for (const auto& each : sum.keys) counted[each.key] = each;
  for (const auto& [key, units] : truth) {
    const auto found = counted.find(key);
    if (found == counted.end()) {
      EXPECT_LE(units, sum.missed_at_most) << key;
      continue;
    }
    EXPECT_LE(units, found->second.units) << key;
    EXPECT_GE(units, found->second.units - found->second.error) << key;
  }
  for (int rank = 0; rank < 20; ++rank) {
    EXPECT_TRUE(counted.contains("key " + std::to_string(rank))) << rank;
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
