// The axis of a plot: where a value stands on it, and round numbers for its ticks. Figures
// above 1e300, infinite ones too, stand at 1e300. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace hashrange {

struct PlotAxis {
  double least = 0;
  double greatest = 1;
  bool is_log = false;
  std::vector<double> ticks = {};

  // Returns the place of a value, from 0 (least) to 1 (greatest). Values beyond an end are at it.
  double ShareOf(double value) const;
};

// Returns an axis from 0 to at least `greatest`, whose ticks are 1, 2 or 5 times a power of ten
// apart. There are at most `most_ticks` besides that at 0.
PlotAxis LinearAxis(double greatest, std::size_t most_ticks);

// Returns a logarithmic axis of whole powers of ten that holds both values, each with a tick.
// Precondition: both are above 0.
PlotAxis LogAxis(double least, double greatest);

// Returns `count` bounds, 1, 2 or 5 times a power of ten and ascending; the last is at least
// `greatest`.
std::vector<double> ClassBounds(double greatest, std::size_t count);

}  // namespace hashrange
