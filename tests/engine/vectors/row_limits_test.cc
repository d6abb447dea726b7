#include "engine/vectors/row_limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/vectors/distance.h"
#include "engine/vectors/vector_numbers.h"

namespace hashrange {
namespace {

constexpr auto kEveryFunction = {DistanceFunction::kCosine, DistanceFunction::kEuclidean,
                                 DistanceFunction::kDotProduct};

std::vector<float> Padded(std::vector<float> row) {
  row.resize(RowStride(static_cast<int>(row.size())));
  return row;
}

// A query and a row, and what the limits know of them.
struct Pair {
  Pair(const std::vector<float>& query_elements, const std::vector<float>& row_elements)
      : query(query_elements),
        row(row_elements),
        coarse_query(query),
        coarse(RowStride(dimensions())),
        measures(MakeCoarse(Padded(row).data(), dimensions(), coarse.data())) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      dot_product += coarse[i] * coarse_query.lines[i / CoarseQuery::kLineElements]
                                     .elements[i % CoarseQuery::kLineElements];
    }
  }

  int dimensions() const { return static_cast<int>(row.size()); }
  double Score(DistanceFunction function) const {
    return ExactScore(function, row.data(), query.data(), row.size());
  }
  bool IsLeftOut(DistanceFunction function, double worst_score) const {
    const double norm = std::sqrt(
        ExactScore(DistanceFunction::kDotProduct, query.data(), query.data(), query.size()));
    const CoarseLimit limit({.function = function,
                             .stride = coarse.size(),
                             .norm = norm,
                             .coarse_scale = coarse_query.scale,
                             .coarse_residual = coarse_query.residual},
                            worst_score);
    return limit.LeavesOut(measures, dot_product);
  }

  std::vector<float> query;
  std::vector<float> row;
  CoarseQuery coarse_query;
  std::vector<std::int8_t> coarse;
  RowMeasures measures;
  std::int32_t dot_product = 0;
};

// Returns the next score that is worse.
double NextWorse(DistanceFunction function, double score) {
  const double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(score, function == DistanceFunction::kDotProduct ? -infinity : infinity);
}

// Returns a row that is like the query, but for small differences.
std::vector<float> Near(const std::vector<float>& query, Numbers& numbers) {
  std::vector<float> row = query;
  const std::vector<float> differences = numbers.Vector(query.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float difference = std::clamp(differences[i], -0.01F, 0.01F);
    row[i] -= row[i] * difference;
  }
  return row;
}

TEST(RowLimitsTest, CoarseLimitNeverLeavesOutABetterRow) {
  Numbers numbers(5);
  for (const std::size_t dimensions : {1, 2, 3, 16, 100, 256, 4096}) {
    const int rounds = dimensions > 1000 ? 200 : 3000;
    for (int i = 0; i < rounds; ++i) {
      const std::vector<float> query = numbers.Vector(dimensions);
      const Pair pair(query, i % 3 == 0 ? Near(query, numbers) : numbers.Vector(dimensions));
      for (const DistanceFunction function : kEveryFunction) {
        ASSERT_FALSE(pair.IsLeftOut(function, NextWorse(function, pair.Score(function))))
            << "function " << static_cast<int>(function) << ", dimensions " << dimensions
            << ", round " << i;
      }
    }
  }
}

// A score that is better than the row's by twice the error of the coarse copies, and a bit.
double MuchBetter(DistanceFunction function, const Pair& pair) {
  const double query_norm = std::sqrt(ExactScore(DistanceFunction::kDotProduct, pair.query.data(),
                                                 pair.query.data(), pair.query.size()));
  const double norm = pair.measures.norm, score = pair.Score(function);
  const double error = 2.01 * ((query_norm + pair.coarse_query.residual) * pair.measures.residual +
                               pair.coarse_query.residual * norm) +
                       0x1p-18 * (norm + query_norm) * (norm + query_norm);
  if (function == DistanceFunction::kDotProduct) return score + error;
  if (function == DistanceFunction::kCosine) return score - error / (norm * query_norm);
  return std::sqrt(score * score - 2 * error);
}

TEST(RowLimitsTest, CoarseLimitLeavesOutRowsThatAreWorseByTheError) {
  for (const float scale : {1e-30F, 1e-20F, 1.0F, 1e20F, 1e34F}) {
    std::vector<float> query(256), row(256);
    for (std::size_t i = 0; i < row.size(); ++i) {
      query[i] = scale * std::sin(static_cast<float>(i));
      row[i] = scale * std::cos(static_cast<float>(3 * i));
    }
    const Pair pair(query, row);
    for (const DistanceFunction function : kEveryFunction) {
      EXPECT_TRUE(pair.IsLeftOut(function, MuchBetter(function, pair)))
          << static_cast<int>(function) << ", " << scale;
      EXPECT_FALSE(pair.IsLeftOut(function, pair.Score(function)))
          << static_cast<int>(function) << ", " << scale;
    }
  }
}

TEST(RowLimitsTest, NothingIsLeftOutOfZerosAndOfWhatHasNoNorm) {
  const std::vector<float> zeros(3, 0.0F), ones(3, 1.0F),
      huge(3, std::numeric_limits<float>::max());
  EXPECT_FALSE(Pair(ones, zeros).IsLeftOut(DistanceFunction::kCosine, 1));
  EXPECT_FALSE(Pair(zeros, ones).IsLeftOut(DistanceFunction::kCosine, 1));
  EXPECT_FALSE(Pair(ones, huge).IsLeftOut(DistanceFunction::kEuclidean, 1));
  EXPECT_TRUE(Pair(ones, ones).IsLeftOut(DistanceFunction::kDotProduct, 4));
  EXPECT_TRUE(Pair(ones, zeros).IsLeftOut(DistanceFunction::kEuclidean, 1));
}

TEST(RowLimitsTest, WithoutAWorstScoreNothingIsLeftOut) {
  const RowMeasures row{.norm = 1, .scale = 1, .residual = 0};
  EXPECT_FALSE(CoarseLimit().LeavesOut(row, std::numeric_limits<std::int32_t>::min()));
  EXPECT_FALSE(FloatLimit().LeavesOut(row, -std::numeric_limits<float>::max()));
}

}  // namespace
}  // namespace hashrange
