#include "measure/report/plot_axis.h"

#include <algorithm>
#include <cmath>

namespace hashrange {
namespace {

// Powers of ten that a rounding error of log10 cannot move.
double PowerOfTen(int exponent) { return std::pow(10.0, exponent); }

// Returns a figure that axes can hold: no infinite one, whose power of ten nobody would find.
double WithinAxes(double figure) {
  constexpr double kGreatest = 1e300;
  return std::min(figure, kGreatest);
}

int FloorLog10(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  while (PowerOfTen(exponent + 1) <= value) ++exponent;
  while (PowerOfTen(exponent) > value) --exponent;
  return exponent;
}

}  // namespace

double PlotAxis::ShareOf(double value) const {
  if (!is_log) return std::clamp((value - least) / (greatest - least), 0.0, 1.0);
  if (value <= least) return 0;
  const double share = std::log10(value / least) / std::log10(greatest / least);
  return std::clamp(share, 0.0, 1.0);
}

PlotAxis LinearAxis(double greatest, std::size_t most_ticks) {
  greatest = greatest > 0 ? WithinAxes(greatest) : 1;
  const auto most = static_cast<double>(most_ticks);
  const int exponent = FloorLog10(greatest / most);
  double step = PowerOfTen(exponent + 1);
  for (const double factor : {1.0, 2.0, 5.0}) {
    const double candidate = factor * PowerOfTen(exponent);
    if (std::ceil(greatest / candidate) <= most) {
      step = candidate;
      break;
    }
  }
  const auto steps = static_cast<int>(std::ceil(greatest / step));
  PlotAxis axis{.least = 0, .greatest = step * steps};
  for (int at = 0; at <= steps; ++at) axis.ticks.push_back(step * at);
  return axis;
}

PlotAxis LogAxis(double least, double greatest) {
  least = WithinAxes(least);
  greatest = WithinAxes(greatest);
  const int first = FloorLog10(least);
  int last = FloorLog10(greatest);
  if (PowerOfTen(last) < greatest || last == first) ++last;
  PlotAxis axis{.least = PowerOfTen(first), .greatest = PowerOfTen(last), .is_log = true};
  for (int exponent = first; exponent <= last; ++exponent) {
    axis.ticks.push_back(PowerOfTen(exponent));
  }
  return axis;
}

std::vector<double> ClassBounds(double greatest, std::size_t count) {
  greatest = greatest > 0 ? WithinAxes(greatest) : 1;
  // Bounds are numbered: 3e is 10^e, 3e + 1 is 2 * 10^e, 3e + 2 is 5 * 10^e.
  const auto bound = [](int number) {
    constexpr double kFactors[] = {1, 2, 5};
    const int factor = (number % 3 + 3) % 3;
    return PowerOfTen((number - factor) / 3) * kFactors[factor];
  };
  int last = 3 * FloorLog10(greatest);
  while (bound(last) < greatest) ++last;
  std::vector<double> bounds;
  for (std::size_t at = count; at > 0; --at) {
    bounds.push_back(bound(last - static_cast<int>(at) + 1));
  }
  return bounds;
}

}  // namespace hashrange
