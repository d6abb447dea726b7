// Rejection-inversion by Hörmann and Derflinger, "Rejection-inversion to generate variates from
// monotone discrete distributions", 1996. Ranks count from 1 here.
#include <algorithm>
#include <cmath>

#include "lab/language/data/draws.h"

namespace hashrange {
namespace {

// Returns log(1 + x) ÷ x.
double LogRatio(double x) { return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x / 2; }

// Returns (e^x − 1) ÷ x.
double ExpRatio(double x) { return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2; }

}  // namespace

double ZipfRanks::Area(double x) const {
  const double log_x = std::log(x);
  return ExpRatio((1 - exponent_) * log_x) * log_x;
}

double ZipfRanks::PlaceOfArea(double area) const {
  // Rounding may lead to just below −1, where the logarithm ends.
  const double t = std::max(-1.0, area * (1 - exponent_));
  return std::exp(LogRatio(t) * area);
}

ZipfRanks::ZipfRanks(std::uint64_t count, double exponent) : count_(count), exponent_(exponent) {
  least_area_ = Area(1.5) - 1;
  greatest_area_ = Area(static_cast<double>(count) + 0.5);
  sure_distance_ = 2 - PlaceOfArea(Area(2.5) - std::pow(2, -exponent));
}

std::uint64_t ZipfRanks::Draw(DrawSequence& draws) const {
  if (exponent_ == 0) return draws.Below(count_);
  const double last = static_cast<double>(count_);
  while (true) {
    const double area = greatest_area_ + draws.Unit() * (least_area_ - greatest_area_);
    const double place = PlaceOfArea(area);
    const double rank = std::clamp(std::floor(place + 0.5), 1.0, last);
    if (rank - place <= sure_distance_ ||
        area >= Area(rank + 0.5) - std::exp(-exponent_ * std::log(rank))) {
      return static_cast<std::uint64_t>(rank) - 1;
    }
  }
}

}  // namespace hashrange
