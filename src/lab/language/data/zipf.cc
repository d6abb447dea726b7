#include "lab/language/data/zipf.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "lab/language/data/draws.h"

namespace hashrange {

// Ranks: rejection-inversion by Hörmann and Derflinger, "Rejection-inversion to generate variates
// from monotone discrete distributions", 1996. Ranks count from 1 here.

namespace {

// Returns log(1 + x) ÷ x.
double LogRatio(double x) { return std::abs(x) > 1e-8 ? PortableLog1p(x) / x : 1 - x / 2; }

// Returns (e^x − 1) ÷ x.
double ExpRatio(double x) { return std::abs(x) > 1e-8 ? PortableExpm1(x) / x : 1 + x / 2; }

}  // namespace

double ZipfRanks::Area(double x) const {
  const double log_x = PortableLog(x);
  return ExpRatio((1 - exponent_) * log_x) * log_x;
}

double ZipfRanks::PlaceOfArea(double area) const {
  // Rounding may lead to just below −1, where the logarithm ends.
  const double t = std::max(-1.0, area * (1 - exponent_));
  return PortableExp(LogRatio(t) * area);
}

ZipfRanks::ZipfRanks(std::uint64_t count, double exponent) : count_(count), exponent_(exponent) {
  least_area_ = Area(1.5) - 1;
  greatest_area_ = Area(static_cast<double>(count) + 0.5);
  sure_distance_ = 2 - PlaceOfArea(Area(2.5) - PortablePow(2, -exponent));
}

std::uint64_t ZipfRanks::Draw(DrawSequence& draws) const {
  if (exponent_ == 0) return draws.Below(count_);
  const double last = static_cast<double>(count_);
  while (true) {
    const double area = greatest_area_ + draws.Unit() * (least_area_ - greatest_area_);
    const double place = PlaceOfArea(area);
    const double rank = std::clamp(std::floor(place + 0.5), 1.0, last);
    if (rank - place <= sure_distance_ ||
        area >= Area(rank + 0.5) - PortableExp(-exponent_ * PortableLog(rank))) {
      return static_cast<std::uint64_t>(rank) - 1;
    }
  }
}

const ZipfRanks& ZipfRankTable::Of(std::uint64_t count, double exponent) {
  // Counts change with what is created, so only a few are worth keeping.
  constexpr std::size_t kKept = 16;
  for (const ZipfRanks& ranks : ranks_) {
    if (ranks.count() == count && ranks.exponent() == exponent) return ranks;
  }
  if (ranks_.size() == kKept) ranks_.erase(ranks_.begin());
  return ranks_.emplace_back(count, exponent);
}

// Up to kExact it is added up; above, by Euler and Maclaurin's formula, whose next term is smaller
// than 1e-9 there.
double SumOfPowers(std::uint64_t first, std::uint64_t last, double exponent) {
  constexpr std::uint64_t kExact = 64;
  double sum = 0;
  std::uint64_t k = first;
  for (; k <= last && k < kExact; ++k) sum += PortablePow(static_cast<double>(k), -exponent);
  if (k > last) return sum;
  const double from = static_cast<double>(k);
  const double to = static_cast<double>(last);
  const double integral =
      std::abs(exponent - 1) < 1e-9
          ? PortableLog(to / from)
          : (PortablePow(to, 1 - exponent) - PortablePow(from, 1 - exponent)) / (1 - exponent);
  const double ends = (PortablePow(from, -exponent) + PortablePow(to, -exponent)) / 2;
  const double slopes =
      exponent * (PortablePow(from, -exponent - 1) - PortablePow(to, -exponent - 1)) / 12;
  return sum + integral + ends + slopes;
}

// Sizes.

ZipfSizes::ZipfSizes(std::uint64_t ranks, const LabDistribution& distribution)
    : ranks_(ranks), distribution_(distribution) {
  const double least = distribution.least;
  const double greatest = std::max(least, distribution.greatest);
  const double wanted =
      std::clamp(distribution.second, least, greatest) * static_cast<double>(ranks);
  // The sum grows with the scale, so the scale is found by halving. It is less than this one, with
  // which the last rank alone is as large as the mean.
  double low = 0;
  double high = (wanted / static_cast<double>(ranks) + 1) *
                PortablePow(static_cast<double>(ranks), distribution.first);
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (SumWith(middle) < wanted ? low : high) = middle;
  }
  scale_ = (low + high) / 2;
}

double ZipfSizes::SumWith(double scale) const {
  const double exponent = distribution_.first;
  const double least = distribution_.least;
  const double greatest = std::max(least, distribution_.greatest);
  const double ranks = static_cast<double>(ranks_);
  if (exponent == 0) return ranks * std::clamp(scale, least, greatest);
  // The ranks up to `full` have the greatest size, and those after `last` the least.
  const double full = std::min(ranks, std::floor(PortablePow(scale / greatest, 1 / exponent)));
  const double last =
      least > 0 ? std::clamp(std::floor(PortablePow(scale / least, 1 / exponent)), full, ranks)
                : ranks;
  double sum = (full > 0 ? full * greatest : 0) + (ranks - last) * least;
  if (last > full) {
    sum += scale * SumOfPowers(static_cast<std::uint64_t>(full) + 1,
                               static_cast<std::uint64_t>(last), exponent);
  }
  return sum;
}

double ZipfSizes::At(std::uint64_t rank) const {
  return std::clamp(scale_ * PortablePow(static_cast<double>(rank) + 1, -distribution_.first),
                    distribution_.least, std::max(distribution_.least, distribution_.greatest));
}

double ZipfSizes::Draw(DrawSequence& draws) const { return At(draws.Below(ranks_)); }

bool ZipfSizes::IsOf(std::uint64_t ranks, const LabDistribution& distribution) const {
  return ranks_ == ranks && distribution_.first == distribution.first &&
         distribution_.second == distribution.second && distribution_.least == distribution.least &&
         distribution_.greatest == distribution.greatest;
}

const ZipfSizes& ZipfSizeTable::Of(std::uint64_t ranks, const LabDistribution& distribution) {
  for (const ZipfSizes& sizes : sizes_) {
    if (sizes.IsOf(ranks, distribution)) return sizes;
  }
  return sizes_.emplace_back(ranks, distribution);
}

}  // namespace hashrange
