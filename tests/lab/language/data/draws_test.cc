#include "lab/language/data/draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "lab/language/data/shop_file.h"
#include "lab/language/data/zipf.h"

namespace hashrange {
namespace {

using lab_data_test::Drawn;
using lab_data_test::Fixed;
using Kind = LabDistribution::Kind;

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments MomentsOf(const std::function<double(DrawSequence&)>& draw) {
  constexpr int kSample = 200'000;
  DrawSequence draws(99);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kSample; ++i) {
    const double number = draw(draws);
    sum += number;
    squares += number * number;
  }
  const double mean = sum / kSample;
  return {mean, std::sqrt(squares / kSample - mean * mean)};
}

TEST(Draws, HashesStayTheSame) {
  // Other hashes would change the figures of every lab.
  EXPECT_EQ(MixedHash({}), 0x9e3779b97f4a7c15);
  EXPECT_EQ(MixedHash({1, 2, 3}), MixedHash({1, 2, 3}));
  EXPECT_NE(MixedHash({1, 2, 3}), MixedHash({1, 3, 2}));
  EXPECT_NE(MixedHash({0}), MixedHash({0, 0}));
  DrawSequence draws(0);
  EXPECT_EQ(draws.Next(), 0xe220a8397b1dcdaf);  // SplitMix64's published first number
}

TEST(Draws, BelowGivesEachNumberAlike) {
  for (const std::uint64_t limit : {std::uint64_t{7}, std::uint64_t{1} << 40}) {
    DrawSequence draws(5);
    std::vector<int> sevenths(7);
    for (int i = 0; i < 70'000; ++i) {
      const std::uint64_t number = draws.Below(limit);
      ASSERT_LT(number, limit);
      ++sevenths[static_cast<std::size_t>(static_cast<double>(number) / static_cast<double>(limit) *
                                          7)];
    }
    for (const int count : sevenths) EXPECT_NEAR(count, 10'000, 400);
  }
}

TEST(Draws, DistributionsHaveTheirMoments) {
  struct Row {
    LabDistribution distribution;
    int decimals;
    double mean;
    double deviation;
  };
  LabDistribution normal = Drawn(Kind::kNormal, -3, 2);
  normal.least = -1000;
  const std::vector<Row> rows = {
      {Fixed(-4.5), 0, -4.5, 0},
      {Drawn(Kind::kUniform, 1, 5), 0, 3, std::sqrt(2.0)},
      {Drawn(Kind::kUniform, -1, 1), 6, 0, std::sqrt(1.0 / 3)},
      {Drawn(Kind::kPoisson, 0.5, 0), 0, 0.5, std::sqrt(0.5)},
      {Drawn(Kind::kPoisson, 60, 0), 0, 60, std::sqrt(60.0)},
      {Drawn(Kind::kPoisson, 3000, 0), 0, 3000, std::sqrt(3000.0)},
      {Drawn(Kind::kLognormal, 1, 0.5), 6, std::exp(1.125),
       std::exp(1.125) * std::sqrt(std::exp(0.25) - 1)},
      {normal, 6, -3, 2},
  };
  for (const Row& row : rows) {
    const Moments moments = MomentsOf(
        [&row](DrawSequence& draws) { return DrawFrom(row.distribution, draws, row.decimals); });
    EXPECT_NEAR(moments.mean, row.mean, 0.01 * row.deviation + 1e-9);
    EXPECT_NEAR(moments.deviation, row.deviation, 0.02 * row.deviation + 1e-3);
  }
  EXPECT_NEAR(MomentsOf([](DrawSequence& d) { return d.Exponential(8); }).mean, 8, 0.08);
  EXPECT_NEAR(MomentsOf([](DrawSequence& d) { return d.Exponential(8); }).deviation, 8, 0.08);
}

TEST(Draws, UniformNumbersIncludeBothEndsAndKeepTheirDecimals) {
  DrawSequence draws(1);
  std::map<double, int> counts;
  for (int i = 0; i < 50'000; ++i) ++counts[DrawFrom(Drawn(Kind::kUniform, 1, 5), draws)];
  ASSERT_EQ(counts.size(), 5U);
  for (const auto& [number, count] : counts) EXPECT_NEAR(count, 10'000, 400) << number;
  std::set<double> tenths;
  for (int i = 0; i < 1000; ++i) tenths.insert(DrawFrom(Drawn(Kind::kUniform, 0.1, 0.4), draws, 1));
  EXPECT_EQ(tenths, (std::set<double>{0.1, 0.2, 0.3, 0.4}));
}

TEST(Draws, WhatIsDrawnIsClamped) {
  LabDistribution poisson = Drawn(Kind::kPoisson, 3, 0);
  poisson.least = 2;
  poisson.greatest = 4;
  DrawSequence draws(1);
  std::set<double> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(DrawFrom(poisson, draws));
  EXPECT_EQ(seen, (std::set<double>{2, 3, 4}));
}

TEST(ZipfRanks, SharesAreExact) {
  constexpr int kDraws = 400'000;
  for (const double exponent : {0.0, 0.3, 0.99, 1.0, 1.0000001, 1.1, 2.5}) {
    for (const std::uint64_t count : {1, 2, 10, 1000}) {
      std::vector<double> exact(count);
      for (std::uint64_t k = 0; k < count; ++k) {
        exact[k] = std::pow(static_cast<double>(k) + 1, -exponent);
      }
      const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
      std::vector<int> drawn(count);
      const ZipfRanks ranks(count, exponent);
      DrawSequence draws(count);
      for (int i = 0; i < kDraws; ++i) ++drawn.at(ranks.Draw(draws));
      for (std::uint64_t k = 0; k < count; ++k) {
        const double expected = kDraws * exact[k] / sum;
        // Five deviations; the seed is fixed.
        ASSERT_NEAR(drawn[k], expected, 5 * std::sqrt(expected) + 5)
            << "rank " << k << " of " << count << ", exponent " << exponent;
      }
    }
  }
}

TEST(ZipfRanks, TheFirstOfAMillionHasItsPublishedShare) {
  // docs/service/21-layout-lab.md, section 4, line 11: 6.5 % of a million keys.
  const ZipfRanks ranks(1'000'000, 0.99);
  DrawSequence draws(3);
  int first = 0;
  for (int i = 0; i < 200'000; ++i) first += ranks.Draw(draws) == 0 ? 1 : 0;
  EXPECT_NEAR(first / 200'000.0, 0.065, 0.002);
}

TEST(Permutation, ReachesEachNumberOnce) {
  for (std::uint64_t count : {1, 2, 3, 4, 5, 7, 8, 9, 31, 100, 1000, 4096, 4097, 100'003}) {
    const Permutation permutation(count, count * 17);
    std::vector<bool> seen(count);
    for (std::uint64_t place = 0; place < count; ++place) {
      const std::uint64_t number = permutation.At(place);
      ASSERT_LT(number, count);
      ASSERT_FALSE(seen[number]);
      seen[number] = true;
    }
  }
}

TEST(Permutation, LooksRandomAndDependsOnTheSeed) {
  constexpr std::uint64_t kCount = 10'000;
  const Permutation one(kCount, 1);
  const Permutation two(kCount, 2);
  int same = 0;
  int rising = 0;
  for (std::uint64_t place = 0; place + 1 < kCount; ++place) {
    same += one.At(place) == two.At(place) ? 1 : 0;
    rising += one.At(place) < one.At(place + 1) ? 1 : 0;
  }
  EXPECT_LT(same, 10);
  EXPECT_NEAR(rising, 5000, 150);
}

TEST(ZipfSizes, HaveTheMeanAndKeepTheBounds) {
  struct Row {
    std::uint64_t ranks;
    double exponent;
    double mean;
    double least;
    double greatest;
  };
  constexpr double kNoBound = std::numeric_limits<double>::infinity();
  for (const Row& row : std::vector<Row>{{20'000, 0.9, 10, 0, 2000},
                                         {20'000, 0.9, 10, 1, 2000},
                                         {20'000, 1, 10, 0, kNoBound},
                                         {300, 2, 3, 1, 40},
                                         {300, 0, 3, 0, kNoBound},
                                         {7, 0.99, 0.3, 0, kNoBound},
                                         {1, 1.5, 12, 0, kNoBound},
                                         {50, 1, 5, 5, 5}}) {
    LabDistribution distribution = Drawn(Kind::kZipf, row.exponent, row.mean);
    distribution.least = row.least;
    distribution.greatest = row.greatest;
    const ZipfSizes sizes(row.ranks, distribution);
    double sum = 0;
    double last = kNoBound;
    for (std::uint64_t rank = 0; rank < row.ranks; ++rank) {
      const double size = sizes.At(rank);
      ASSERT_LE(size, last);
      ASSERT_GE(size, row.least);
      ASSERT_LE(size, row.greatest);
      sum += last = size;
    }
    EXPECT_NEAR(sum / static_cast<double>(row.ranks), row.mean, 1e-4 * row.mean)
        << row.ranks << " ranks, exponent " << row.exponent;
  }
}

TEST(ZipfSizes, AnImpossibleMeanIsClamped) {
  LabDistribution distribution = Drawn(Kind::kZipf, 1, 50);
  distribution.greatest = 20;
  EXPECT_NEAR(ZipfSizes(10, distribution).At(9), 20, 1e-6);
}

}  // namespace
}  // namespace hashrange
