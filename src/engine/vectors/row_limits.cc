#include "engine/vectors/row_limits.h"

#include <cmath>

#include "engine/vectors/row_kernels.h"

namespace hashrange {
namespace {

constexpr double kGreatestFloat = std::numeric_limits<float>::max();
constexpr double kSmallestFloat = std::numeric_limits<float>::denorm_min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Both proofs use: the score in double has an error of at most (n + 8) 2^-53 < 2^-40 of |row|
// |query|, or of its own value if it is a distance, as n <= 4,096. A norm is rounded to float, by
// 2^-24 of it at most, or by half of the smallest float. No value of double is too great or too
// small here: they are products of up to four floats and integers.

// The coarse limit. Let x be the row and q the query, x' and q' their coarse copies times their
// scales, and r = |x - x'|, p = |q - q'| the lengths of what these leave out. Then
//
//   q x  =  q' x' + (q - q') x' + q (x - x')
//        <= q' x' + p |x'| + |q| r                     (Cauchy and Schwarz)
//        <= q' x' + p |x| + (|q| + p) r                 as |x'| <= |x| + r
//
// q' x' is the product of the scales and of the integers' dot product, which is exact. The stored r
// is not too small, and the stored p by less than 2^-50 of |q|. So a row that is better than the
// worst score w obeys
//
//   dot product:  w < q' x' + (|q| + p) r + p |x|
//   cosine:       0 < q' x' + (|q| + p) r + (p - (1 - w) |q|) |x|,  or x is zero
//   distance:     (|q|² - w²) / 2 < q' x' + (|q| + p) r + p |x| - |x|² / 2
//
// as the square of the distance is |q|² + |x|² - 2 q x. A row of zeros has the right side 0, and
// the limit of cosine is not greater.
//
// Errors. Every term on the right is at most 4 |q| |x|, or |x|² / 2, as r <= |x| and p <= |q|, and
// double rounds each a few times, by less than 2^-45 of |q| |x| or of |x|². The error of the score
// is less than 2^-38, that of the norm 2^-24 of the same or of w. So each of |q| |x|, |q|², |x|²
// and w is given kSlack of itself. The norm's other error, half of the smallest float, makes at
// most that times the factors of |x|, which the base is given, and of the square |x| times the
// smallest float, which the factor of |x| is given.
constexpr double kSlack = 0x1p-20;

double SquareOf(double value) { return value * value; }

// The limits by floats. Let u = 2^-24 be the relative error of one rounding to float, and d the
// most roundings that an element goes through. In whatever order the products are added,
//
//   | sum in float - sum |  <=  g * (the sum of the products' magnitudes) + t,
//   g = d u / (1 - d u)
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
// Everything is computed with a bound that is greater by a hundredth, which is more than the errors
// of the score.
double RelativeError(std::size_t stride) {
  const double roundings = MostRoundings(stride) * std::ldexp(1.0, -24);
  return 1.01 * roundings / (1 - roundings);
}

double AbsoluteError(std::size_t stride) { return static_cast<double>(stride) * kSmallestFloat; }

}  // namespace

CoarseLimit::CoarseLimit(const QueryMeasures& query, double worst_score)
    : scale_(query.coarse_scale),
      residual_(query.norm + query.coarse_residual),
      norm_(query.coarse_residual + kSlack * query.norm) {
  switch (query.function) {
    case DistanceFunction::kCosine:
      base_ = 0;
      norm_ -= (1 - worst_score) * query.norm;
      break;
    case DistanceFunction::kEuclidean:
      base_ = (SquareOf(query.norm) * (1 - kSlack) - SquareOf(worst_score) * (1 + kSlack)) / 2;
      norm_ += kSmallestFloat;
      square_ = -(1 - kSlack) / 2;
      break;
    case DistanceFunction::kDotProduct:
      base_ = worst_score - kSlack * std::abs(worst_score);
      break;
  }
  base_ -= (std::abs(norm_) + query.norm) * kSmallestFloat;
}

FloatLimit::FloatLimit(const QueryMeasures& query, double worst_score) {
  const double relative = RelativeError(query.stride), absolute = AbsoluteError(query.stride);
  switch (query.function) {
    // A row is better than w if its dot product is greater than (1 - w) |row| |query|. A vector of
    // zeros has a negative limit and the similarity 0, so it is not left out.
    case DistanceFunction::kCosine:
      slope_ = (1 - worst_score - relative - std::ldexp(1.0, -22)) * query.norm;
      base_ = -absolute - std::abs(slope_) * kSmallestFloat;
      break;
    // A row is better than w if the square of its distance is less than w². Where the limit is near
    // the greatest float, a sum may be infinite or not, and no row is left out.
    case DistanceFunction::kEuclidean:
      base_ = -(SquareOf(worst_score) * (1 + relative) + absolute);
      if (base_ <= -kGreatestFloat / 2) base_ = -kInfinity;
      break;
    // A row is better than w if its dot product is greater than w.
    case DistanceFunction::kDotProduct:
      slope_ = -relative * query.norm;
      base_ = worst_score - absolute + slope_ * kSmallestFloat;
      break;
  }
}

}  // namespace hashrange
