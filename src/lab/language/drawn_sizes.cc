#include "lab/language/drawn_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hashrange {
namespace {

using Kind = LabDistribution::Kind;

double Unclamped(const LabDistribution& distribution, double deviations) {
  const double first = distribution.first;
  const double second = distribution.second;
  switch (distribution.kind) {
    case Kind::kFixed:
      return first;
    case Kind::kUniform:
      return deviations > 0 ? second : (first + second) / 2;
    case Kind::kZipf:
      return deviations > 0 ? std::numeric_limits<double>::infinity() : second;
    case Kind::kPoisson:
      return first + deviations * std::sqrt(first);
    case Kind::kLognormal:
      return std::exp(first + (deviations > 0 ? deviations * second : second * second / 2));
    case Kind::kNormal:
      return first + deviations * second;
  }
  return first;
}

double Clamped(const LabDistribution& distribution, double number) {
  return std::max(distribution.least, std::min(number, distribution.greatest));
}

}  // namespace

double MeanOf(const LabDistribution& distribution) {
  return Clamped(distribution, Unclamped(distribution, 0));
}

double GreatestOf(const LabDistribution& distribution) {
  constexpr double kLikelyDeviations = 4;
  return Clamped(distribution, Unclamped(distribution, kLikelyDeviations));
}

double LeastOf(const LabDistribution& distribution) {
  const bool has_least = distribution.kind == Kind::kFixed || distribution.kind == Kind::kUniform;
  return std::max(distribution.least, has_least ? Clamped(distribution, distribution.first) : 0.0);
}

double InstancesOf(const LabFile& file, int entity) {
  double count = 1;
  while (entity != kLabNone) {
    const LabEntity& described = file.entities[static_cast<std::size_t>(entity)];
    count *= MeanOf(described.count);
    entity = described.parent;
  }
  return count;
}

}  // namespace hashrange
