#include "engine/vectors/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace hashrange {
namespace {

constexpr float kMost = std::numeric_limits<float>::max();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();
constexpr auto kCosine = DistanceFunction::kCosine;
constexpr auto kEuclidean = DistanceFunction::kEuclidean;
constexpr auto kDotProduct = DistanceFunction::kDotProduct;

struct ScoreCase {
  DistanceFunction function;
  std::vector<float> a;
  std::vector<float> b;
  double answered;
};

TEST(DistanceTest, ScoresAreAnsweredAsFloats) {
  const std::vector<ScoreCase> cases = {
      {kCosine, {1, 0}, {0, 1}, 1},
      {kCosine, {1, 0}, {-1, 0}, 2},
      {kCosine, {3, 4}, {4, 3}, 0.04F},
      {kCosine, {3, 4, 0}, {3, 0, 0}, 0.4F},
      {kCosine, {0.1F, 0.7F, 1e-3F}, {0.1F, 0.7F, 1e-3F}, 0},
      {kCosine, {kMost, kMost, 1}, {kMost, kMost, 1}, 0},
      {kCosine, {kLeast, kLeast}, {kLeast, kLeast}, 0},
      {kCosine, {kLeast, 0}, {-kMost, 0}, 2},
      {kCosine, {0, 0}, {1, 2}, 1},
      {kCosine, {1, 2}, {0, 0}, 1},
      {kCosine, {0, 0}, {0, -0.0F}, 1},
      {kEuclidean, {1, 0}, {0, 1}, std::sqrt(2.0F)},
      {kEuclidean, {0.1F, 7}, {0.1F, 7}, 0},
      {kEuclidean, {3, 0}, {0, 4}, 5},
      {kEuclidean, {kLeast}, {-kLeast}, 2.0 * kLeast},
      {kEuclidean, {kMost}, {-kMost}, kMost},
      {kDotProduct, {1, 2}, {3, -4}, -5},
      {kDotProduct, {1e30F, 1}, {1e30F, 1}, kMost},
      {kDotProduct, {-1e30F, 1}, {1e30F, 1}, -kMost},
      {kDotProduct, {1e30F, 1, 1e30F}, {1e30F, 1, -1e30F}, 0},
      {kDotProduct, {1e-30F}, {1e-30F}, 0},
  };
  for (const ScoreCase& c : cases) {
    const double forth = ExactScore(c.function, c.a.data(), c.b.data(), c.a.size());
    const double back = ExactScore(c.function, c.b.data(), c.a.data(), c.a.size());
    EXPECT_EQ(AnsweredScore(forth), c.answered) << &c - cases.data();
    EXPECT_EQ(forth, back) << &c - cases.data();
  }
}

}  // namespace
}  // namespace hashrange
