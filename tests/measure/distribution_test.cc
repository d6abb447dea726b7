#include "measure/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace hashrange {
namespace {

TEST(Distribution, IsEmptyAtFirst) {
  const Distribution none;
  EXPECT_EQ(none.count(), 0u);
  EXPECT_EQ(none.mean(), 0);
  EXPECT_EQ(none.Percentile(0.99), 0);
}

TEST(Distribution, SmallValuesAreExact) {
  Distribution units;
  for (int i = 0; i < 98; ++i) units.Add(0.5);
  units.Add(1);
  units.Add(127.5);
  EXPECT_EQ(units.count(), 100u);
  EXPECT_EQ(units.sum(), 98 * 0.5 + 1 + 127.5);
  EXPECT_EQ(units.max(), 127.5);
  EXPECT_EQ(units.Percentile(0.5), 0.5);
  EXPECT_EQ(units.Percentile(0.98), 0.5);
  EXPECT_EQ(units.Percentile(0.99), 1);
  EXPECT_EQ(units.Percentile(1), 127.5);
  EXPECT_EQ(units.CountAbove(0.5), 2u);
  EXPECT_EQ(units.CountAbove(1), 1u);
}

TEST(Distribution, ValuesBetweenHalvesAreRoundedUp) {
  Distribution units;
  units.Add(0.3);
  units.Add(0.75);
  units.Add(9);
  EXPECT_EQ(units.Percentile(0.3), 0.5);
  EXPECT_EQ(units.Percentile(0.6), 1);
  EXPECT_EQ(units.max(), 9);
}

TEST(Distribution, LargePercentilesAreAtMostOneThirtySecondTooHigh) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> sizes(8, 2);
  Distribution distribution;
  std::vector<double> all;
  for (int i = 0; i < 20'000; ++i) {
    all.push_back(std::floor(sizes(random)));
    distribution.Add(all.back());
  }
  std::ranges::sort(all);
  for (const double share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(all.size()))) - 1;
    EXPECT_GE(distribution.Percentile(share), all[rank]);
    EXPECT_LE(distribution.Percentile(share), all[rank] * (1 + 1.0 / 32) + 0.5);
  }
}

TEST(Distribution, EachBucketEndsWhereTheNextBegins) {
  for (std::uint32_t bucket = 0; bucket < 1500; ++bucket) {
    const double greatest = Distribution::GreatestOf(bucket);
    ASSERT_EQ(Distribution::BucketOf(greatest), bucket);
    if (greatest < 1e12) {
      ASSERT_EQ(Distribution::BucketOf(greatest + 0.5), bucket + 1);
    }
  }
}

TEST(Distribution, AddsAnotherDistribution) {
  Distribution a, b, both;
  for (const double value : {0.5, 1.0, 300.0}) {
    a.Add(value);
    both.Add(value);
  }
  for (const double value : {1.0, 2.0, 5000.0}) {
    b.Add(value, 3);
    both.Add(value, 3);
  }
  a.Add(b);
  EXPECT_EQ(a, both);
}

TEST(Distribution, SubtractUndoesAnAdd) {
  Distribution distribution, other, part;
  for (Distribution* each : {&distribution, &other}) each->Add(4);
  part.Add(2);
  part.Add(4);
  distribution.Add(part);
  distribution.Subtract(part);
  EXPECT_EQ(distribution, other);
}

}  // namespace
}  // namespace hashrange
