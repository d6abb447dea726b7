#include "lab/plan/cost/spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/language/data/draws.h"

namespace hashrange {
namespace {

using Kind = LabDistribution::Kind;

LabDistribution Uniform(double from, double to) {
  return {.kind = Kind::kUniform, .first = from, .second = to};
}

TEST(Spread, OfWeightedNumbersKeepsTheirMean) {
  const Spread spread = Spread::Of({{10, 1}, {0, 3}});
  EXPECT_DOUBLE_EQ(spread.Mean(), 2.5);
  EXPECT_DOUBLE_EQ(spread.part(0), 0);
  EXPECT_DOUBLE_EQ(spread.part(Spread::kParts - 1), 10);
  EXPECT_DOUBLE_EQ(Spread::Of({}).Mean(), 0);
  EXPECT_NEAR(Spread::Of({{1, 1}, {2, 1}, {3, 1}}).Mean(), 2, 1e-9);
}

// The moments of what is drawn are those of many draws.
TEST(Spread, OfDrawsHasTheMomentsOfTheDraws) {
  const LabDistribution distributions[] = {
      {.kind = Kind::kFixed, .first = 7},
      Uniform(20, 60),
      {.kind = Kind::kPoisson, .first = 4},
      {.kind = Kind::kPoisson, .first = 400},
      {.kind = Kind::kPoisson, .first = 3, .least = 1, .greatest = 5},
      {.kind = Kind::kNormal, .first = 50, .second = 10},
      {.kind = Kind::kLognormal, .first = 4, .second = 0.7},
      {.kind = Kind::kLognormal, .first = 7, .second = 0.7, .least = 200, .greatest = 12'000},
  };
  constexpr int kDraws = 200'000;
  for (const LabDistribution& distribution : distributions) {
    SCOPED_TRACE(static_cast<int>(distribution.kind));
    DrawSequence draws(7);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double number = DrawFrom(distribution, draws);
      sum += number;
      squares += number * number;
    }
    const double mean = sum / kDraws;
    const double deviation = std::sqrt(std::max(0.0, squares / kDraws - mean * mean));
    const Spread spread = Spread::OfDraws(distribution, 1);
    EXPECT_NEAR(spread.Mean(), mean, 0.01 * mean);
    EXPECT_NEAR(std::sqrt(spread.Variance()), deviation, 0.1 * deviation + 0.01);
  }
}

TEST(Spread, OfZipfHasTheDeclaredMean) {
  const LabDistribution sizes = {.kind = Kind::kZipf, .first = 0.8, .second = 5, .greatest = 300};
  EXPECT_NEAR(Spread::OfDraws(sizes, 1000).Mean(), 5, 0.05);
}

TEST(Spread, SumsAndPresenceKeepTheMean) {
  const Spread one = Spread::OfDraws(Uniform(100, 200), 1);
  const Spread other = Spread::OfDraws({.kind = Kind::kLognormal, .first = 3, .second = 1}, 1);
  EXPECT_NEAR(SumOf(one, other).Mean(), one.Mean() + other.Mean(), 1e-6);
  EXPECT_NEAR(SumOf(one, Spread(5)).Mean(), one.Mean() + 5, 1e-9);
  EXPECT_NEAR(one.WithPresence(0.3).Mean(), 0.3 * one.Mean(), 1e-6);
}

TEST(Spread, ShareBelowFollowsTheNumbers) {
  const Spread spread = Spread::OfDraws(Uniform(0, 160), 1);
  EXPECT_NEAR(spread.ShareBelow(40), 0.25, 0.001);
  EXPECT_NEAR(spread.ShareBelow(137), 137.0 / 160, 0.005);
  EXPECT_EQ(spread.ShareBelow(-1), 0);
  EXPECT_EQ(spread.ShareBelow(161), 1);
}

// Units are those of many items of drawn sizes, each rounded up.
TEST(Spread, MeanUnitsRoundsEachItem) {
  const LabDistribution distributions[] = {Uniform(100, 900),
                                           Uniform(900, 1200),
                                           Uniform(500, 9000),
                                           {.kind = Kind::kLognormal, .first = 6.5, .second = 0.8}};
  for (const LabDistribution& distribution : distributions) {
    DrawSequence draws(11);
    double units = 0;
    constexpr int kDraws = 100'000;
    for (int i = 0; i < kDraws; ++i) {
      units += std::max(1.0, std::ceil(DrawFrom(distribution, draws) / 1024));
    }
    units /= kDraws;
    EXPECT_NEAR(MeanUnits(Spread::OfDraws(distribution, 1), 1024), units, 0.03 * units);
  }
  EXPECT_DOUBLE_EQ(MeanUnits(Spread(1024), 1024), 1);
  EXPECT_DOUBLE_EQ(MeanUnits(Spread(1025), 1024), 2);
  EXPECT_DOUBLE_EQ(MeanUnits(Spread(0), 1024), 1);
}

// Pages are those of many intervals: a number of items is drawn, then a size for each of them.
TEST(MeanPageCost, IsTheMeanOfManyPages) {
  struct Row {
    const char* name;
    double items;
    LabDistribution bytes;
    double limit;
  };
  const Row rows[] = {{"few small items", 3, Uniform(100, 300), 0},
                      {"few large items", 2, Uniform(3000, 9000), 0},
                      {"about a unit", 8, Uniform(300, 700), 0},
                      {"many items", 200, Uniform(100, 500), 0},
                      {"a limit that is often reached", 12, Uniform(300, 900), 10},
                      {"a limit far below the items", 300, Uniform(300, 900), 20},
                      {"a limit near the many items", 40, Uniform(300, 900), 40}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    DrawSequence draws(3);
    double units = 0;
    double items = 0;
    constexpr int kCalls = 40'000;
    for (int i = 0; i < kCalls; ++i) {
      double count = static_cast<double>(draws.Poisson(row.items));
      if (row.limit > 0) count = std::min(count, row.limit);
      double bytes = 0;
      for (int item = 0; item < static_cast<int>(count); ++item) {
        bytes += DrawFrom(row.bytes, draws);
      }
      units += std::max(1.0, std::ceil(bytes / 4096)) / kCalls;
      items += count / kCalls;
    }
    const Spread bytes = Spread::OfDraws(row.bytes, 1);
    const PageCost cost = MeanPageCost({.items = {row.items, row.items},
                                        .item_bytes = {bytes.Mean(), bytes.Variance()},
                                        .limit = row.limit});
    EXPECT_NEAR(cost.units, units, 0.02 * units);
    EXPECT_NEAR(cost.items, items, 0.02 * items);
  }
}

// What one object remembers of some intervals does not change what others cost.
TEST(PageCosts, AreThoseOfEachIntervalByItself) {
  for (const double limit : {0.0, 1.0, 10.0, 25.0}) {
    const PageLoad load = {
        .item_bytes = {700, 40'000}, .limit = limit, .more_items = 1, .more_bytes = {300, 100}};
    PageCosts costs(load);
    for (const Moments items : {Moments{3, 3}, Moments{0.4, 0.3}, Moments{12, 40}, Moments{3, 3},
                                Moments{24, 0}, Moments{80, 90}, Moments{30, 4'000}}) {
      PageLoad one = load;
      one.items = items;
      const PageCost expected = MeanPageCost(one);
      const PageCost cost = costs.Mean(items);
      EXPECT_EQ(cost.units, expected.units);
      EXPECT_EQ(cost.items, expected.items);
      EXPECT_EQ(cost.pages, expected.pages);
    }
  }
}

// Of counts that differ widely, as where few parents have most children, what a limit leaves is
// right to a tenth.
TEST(MeanPageCost, CutsCountsThatDifferWidely) {
  const LabDistribution distributions[] = {{.kind = Kind::kLognormal, .first = 3, .second = 1.2},
                                           {.kind = Kind::kLognormal, .first = 4, .second = 1},
                                           {.kind = Kind::kLognormal, .first = 4, .second = 0.5}};
  for (const LabDistribution& distribution : distributions) {
    for (const double limit : {10.0, 20.0, 60.0, 0.0}) {
      SCOPED_TRACE(limit);
      DrawSequence draws(5);
      Moments count;
      double items = 0;
      constexpr int kCalls = 100'000;
      for (int i = 0; i < kCalls; ++i) {
        const double drawn = DrawFrom(distribution, draws);
        count.mean += drawn / kCalls;
        count.variance += drawn * drawn / kCalls;
        items += (limit > 0 ? std::min(drawn, limit) : drawn) / kCalls;
      }
      count.variance -= count.mean * count.mean;
      const PageCost cost = MeanPageCost({.items = count, .item_bytes = {200, 0}, .limit = limit});
      EXPECT_NEAR(cost.items, items, 0.1 * items);
    }
  }
}

TEST(MeanPageCost, OfNothingIsOneUnit) {
  EXPECT_DOUBLE_EQ(MeanPageCost({}).units, 1);
  EXPECT_DOUBLE_EQ(MeanPageCost({}).pages, 1);
}

TEST(MeanPageCost, CountsPagesOfAMegabyte) {
  const PageCost cost = MeanPageCost({.items = {10'000, 0}, .item_bytes = {1024, 0}});
  EXPECT_EQ(cost.pages, 10);
  EXPECT_NEAR(cost.units, 2500, 10);
}

TEST(CostUntilFound, ReadsWholePages) {
  constexpr double kPage = 256.5;  // a page of 1 MB, with half a unit for the last begun one
  struct Row {
    const char* what;
    PageCost all;
    Moments found;
    double wanted;
    double units;
    double pages;
  };
  const PageCost two_and_a_half = {.units = 2.5 * kPage, .items = 1000, .pages = 3};
  const Row rows[] = {
      {"one page", {.units = 7, .items = 3, .pages = 1}, {2, 1}, 1, 7, 1},
      // It lies before the second page in 40 % of the cases, before the third in 80 %.
      {"the only one", two_and_a_half, {1, 0}, 1, kPage * (1 + 0.6 + 0.2 / 2), 1.8},
      {"both of two", two_and_a_half, {2, 0}, 2, kPage * (1 + 0.84 + 0.36 / 2), 2.2},
      {"one of two", two_and_a_half, {2, 0}, 1, kPage * (1 + 0.36 + 0.04 / 2), 1.4},
      {"one of many", two_and_a_half, {1000, 0}, 1, kPage, 1},
      {"there is none", two_and_a_half, {0, 0}, 1, 2.5 * kPage, 3},
      {"fewer than are wanted", two_and_a_half, {4, 0}, 5, 2.5 * kPage, 3},
      {"many pages", {.units = 5000 * kPage, .pages = 5000}, {1, 0}, 1, 2500.5 * kPage, 2500.5},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const PageCost cost = CostUntilFound(row.all, row.found, row.wanted);
    EXPECT_NEAR(cost.units, row.units, row.units * 1e-3);
    EXPECT_NEAR(cost.pages, row.pages, row.pages * 1e-3);
    EXPECT_NEAR(cost.items, row.all.items * cost.units / row.all.units, 1e-3);
  }
}

TEST(CostUntilFound, FindsTheFirstOfVeryMany) {
  constexpr double kPage = 256.5;
  // One of them lies in each page: 50 are found in 50 pages, and the page of the last one is read.
  const PageCost cost =
      CostUntilFound({.units = 1e6 * kPage, .items = 1e9, .pages = 1e6}, {1e6, 0}, 50);
  EXPECT_NEAR(cost.pages, 50.5, 0.5);
  EXPECT_NEAR(cost.units, cost.pages * kPage, kPage / 100);
}

TEST(AppendCounts, KeepsTheMoments) {
  for (const Moments count :
       {Moments{3, 0}, Moments{3, 3}, Moments{2.5, 9}, Moments{400, 400}, Moments{400, 90'000}}) {
    std::vector<WeightedNumber> numbers;
    AppendCounts(count, 0.5, numbers);
    double weight = 0;
    double mean = 0;
    for (const WeightedNumber& one : numbers) {
      weight += one.weight;
      mean += one.weight * one.number;
    }
    EXPECT_NEAR(weight, 0.5, 1e-9);
    EXPECT_NEAR(mean, count.mean / 2, count.mean / 100) << count.variance;
  }
}

// Of batches of 100, which are begun as often as there is something left.
TEST(MeanBatches, CountsWhatIsBegun) {
  EXPECT_DOUBLE_EQ(MeanBatches({0, 0}, 100), 0);
  EXPECT_DOUBLE_EQ(MeanBatches({100, 0}, 100), 1);
  EXPECT_DOUBLE_EQ(MeanBatches({130, 0}, 100), 2);
  EXPECT_NEAR(MeanBatches({100.25, 0}, 100), 1.25, 1e-9);
  EXPECT_NEAR(MeanBatches({0.5, 0.5}, 100), 1 - std::exp(-0.5), 1e-6);  // a Poisson number
  EXPECT_NEAR(MeanBatches({100, 100}, 100), 1.48, 0.03);                // of 90 to 110
  EXPECT_NEAR(MeanBatches({1000, 10'000}, 100), 10.5, 0.02);
  EXPECT_NEAR(MeanBatches({1000, 4'000'000}, 100), 10.5, 0.2);  // few have most
}

TEST(MeanPageCost, IsMonotone) {
  double last = 0;
  for (double items = 0; items < 120; items += 0.5) {
    const double units = MeanPageCost({.items = {items, items}, .item_bytes = {700, 4000}}).units;
    EXPECT_GE(units, last - 0.02) << items;
    last = units;
  }
  last = 0;
  for (double bytes = 50; bytes < 9000; bytes += 50) {
    const double units = MeanPageCost({.items = {6, 6}, .item_bytes = {bytes, 100}}).units;
    EXPECT_GE(units, last - 1e-6) << bytes;
    last = units;
  }
}

}  // namespace
}  // namespace hashrange
