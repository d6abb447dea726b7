#include "engine/vectors/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hashrange {
namespace {

constexpr double kGreatestFloat = std::numeric_limits<float>::max();
constexpr double kSmallestFloat = std::numeric_limits<float>::denorm_min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The kernels sum this many rows at a time. What must be scored exactly is then still in the
// nearest cache.
constexpr std::size_t kRowsAtOnce = 16;

// The bounds. Let u = 2^-24 be the relative error of one rounding to float, and d the most
// roundings that an element goes through. In whatever order the products are added,
//
//   | sum in float - sum |  <=  g * (the sum of the products' magnitudes) + t,   g = d u / (1 - d
//   u)
//
// (Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1), unless a sum is
// infinite, and then the sum in float is infinite or NaN, and the row is not left out. t is what
// products lose that are less than the smallest normal float: at most half of the smallest float
// for each, which the further roundings at most double. A sum or difference of floats loses nothing
// there.
//
// - The magnitudes of the products of a dot product add up to at most |row| |query|.
// - The squares of differences are not negative, so the error of their sum is relative.
//
// The score in double has errors, too: at most (n + 8) 2^-53 for n <= 4,096 of the same magnitudes,
// which is less than a millionth of g. The norm of a row is rounded to float, by u at most, or by
// half of the smallest float. Everything is computed with a bound that is greater by a hundredth.
double RelativeError(std::size_t stride) {
  const double roundings = MostRoundings(stride) * std::ldexp(1.0, -24);
  return 1.01 * roundings / (1 - roundings);
}

double AbsoluteError(std::size_t stride) { return static_cast<double>(stride) * kSmallestFloat; }

}  // namespace

Nearest::Nearest(DistanceFunction function, std::span<const float> query, int k, InstructionSet set)
    : function_(function),
      dimensions_(query.size()),
      stride_(RowStride(static_cast<int>(query.size()))),
      k_(static_cast<std::size_t>(std::max(k, 0))),
      query_(stride_ / kRowUnit),
      query_norm_(std::sqrt(
          ExactScore(DistanceFunction::kDotProduct, query.data(), query.data(), query.size()))),
      kernel_(function == DistanceFunction::kEuclidean ? KernelsOf(set).minus_squared_distance
                                                       : KernelsOf(set).dot_product),
      limit_{-kInfinity, 0} {
  for (std::size_t i = 0; i < query.size(); ++i) {
    query_[i / kRowUnit].elements[i % kRowUnit] = query[i];
  }
}

void Nearest::Add(const RowBlock& block, absl::FunctionRef<bool(std::size_t row)> accepts) {
  const std::uint32_t number = blocks_++;
  if (k_ == 0) return;
  float similarities[kRowsAtOnce];
  for (std::size_t begin = 0; begin < block.count; begin += kRowsAtOnce) {
    const float* rows = block.rows + begin * stride_;
    const std::size_t count = std::min(kRowsAtOnce, block.count - begin);
    kernel_({.rows = rows, .count = count, .stride = stride_, .query = query()}, similarities);
    for (std::size_t i = 0; i < count; ++i) {
      const double similarity = similarities[i];
      const double norm = block.norms[begin + i];
      // Not the opposite comparisons: what is not a number is not left out.
      if (similarity >= -kGreatestFloat && similarity < limit_.base + limit_.slope * norm) continue;
      Consider({.score = 0, .block = number, .row = static_cast<std::uint32_t>(begin + i)},
               rows + i * stride_, accepts);
    }
  }
}

void Nearest::Consider(Neighbour neighbour, const float* row,
                       absl::FunctionRef<bool(std::size_t row)> accepts) {
  neighbour.score = ExactScore(function_, row, query(), dimensions_);
  const auto better = [this](const Neighbour& a, const Neighbour& b) { return IsBetter(a, b); };
  const bool is_full = best_.size() == k_;
  if (is_full && !better(neighbour, best_.front())) return;
  if (!accepts(neighbour.row)) return;
  if (is_full) {
    std::pop_heap(best_.begin(), best_.end(), better);
    best_.pop_back();
  }
  best_.push_back(neighbour);
  std::push_heap(best_.begin(), best_.end(), better);
  if (best_.size() == k_) limit_ = LimitFor(best_.front().score);
}

std::vector<Neighbour> Nearest::Best() {
  std::sort_heap(best_.begin(), best_.end(),
                 [this](const Neighbour& a, const Neighbour& b) { return IsBetter(a, b); });
  for (Neighbour& neighbour : best_) neighbour.score = AnsweredScore(neighbour.score);
  return std::move(best_);
}

bool Nearest::IsBetter(const Neighbour& a, const Neighbour& b) const {
  if (a.score != b.score) {
    return function_ == DistanceFunction::kDotProduct ? a.score > b.score : a.score < b.score;
  }
  return a.block != b.block ? a.block < b.block : a.row < b.row;
}

Nearest::Limit Nearest::LimitFor(double worst_score) const {
  switch (function_) {
    case DistanceFunction::kCosine:
      return CosineLimit(worst_score);
    case DistanceFunction::kEuclidean:
      return EuclideanLimit(worst_score);
    case DistanceFunction::kDotProduct:
      return DotProductLimit(worst_score);
  }
  return {-kInfinity, 0};
}

// A row is better than the worst score w if its dot product is greater than (1 - w) |row| |query|.
// The norm is |row|, but for an error of u |row| and half of the smallest float. A vector of zeros
// has the limit -t, and its similarity is 0, so it is not left out.
Nearest::Limit Nearest::CosineLimit(double worst_score) const {
  const double error = RelativeError(stride_) + std::ldexp(1.0, -22);
  const double slope = (1 - worst_score - error) * query_norm_;
  return {-AbsoluteError(stride_) - std::abs(slope) * kSmallestFloat, slope};
}

// A row is better than the worst score w if the square of its distance is less than w². Where the
// limit is near the greatest float, a sum may be infinite or not, and no row is left out.
Nearest::Limit Nearest::EuclideanLimit(double worst_score) const {
  const double limit =
      worst_score * worst_score * (1 + RelativeError(stride_)) + AbsoluteError(stride_);
  return {limit < kGreatestFloat / 2 ? -limit : -kInfinity, 0};
}

// A row is better than the worst score w if its dot product is greater than w.
Nearest::Limit Nearest::DotProductLimit(double worst_score) const {
  const double error = RelativeError(stride_) * query_norm_;
  return {worst_score - AbsoluteError(stride_) - error * kSmallestFloat, -error};
}

}  // namespace hashrange
