#include "engine/vectors/distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hashrange {
namespace {

// The product of two floats has at most 48 significant bits, so it is exact in double, and a fused
// multiplication and addition gives the same sum.
double Product(float a, float b) { return static_cast<double>(a) * static_cast<double>(b); }

double DotProduct(const float* a, const float* b, std::size_t dimensions) {
  double sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) sum += Product(a[i], b[i]);
  return sum;
}

double EuclideanDistance(const float* a, const float* b, std::size_t dimensions) {
  double sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

double CosineDistance(const float* a, const float* b, std::size_t dimensions) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    ab += Product(a[i], b[i]);
    aa += Product(a[i], a[i]);
    bb += Product(b[i], b[i]);
  }
  if (aa == 0 || bb == 0) return 1;
  // The root of a square is exact, so equal vectors have the distance 0. No product is too great or
  // too small for double: each sum is between 1e-90 and 1e81.
  return std::clamp(1 - ab / std::sqrt(aa * bb), 0.0, 2.0);
}

}  // namespace

double ExactScore(DistanceFunction function, const float* a, const float* b,
                  std::size_t dimensions) {
  switch (function) {
    case DistanceFunction::kCosine:
      return CosineDistance(a, b, dimensions);
    case DistanceFunction::kEuclidean:
      return EuclideanDistance(a, b, dimensions);
    case DistanceFunction::kDotProduct:
      return DotProduct(a, b, dimensions);
  }
  return 0;
}

double AnsweredScore(double exact_score) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<double>(static_cast<float>(std::clamp(exact_score, -kMost, kMost)));
}

}  // namespace hashrange
