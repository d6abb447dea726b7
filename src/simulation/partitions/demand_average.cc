#include "simulation/partitions/demand_average.h"

#include <algorithm>
#include <cmath>

namespace hashrange {

void DemandAverage::EndSeconds(std::int64_t seconds, double keep) {
  average_ = average_ * keep + current_ * (1 - keep);
  average_ *= std::pow(keep, static_cast<double>(seconds - 1));
  current_ = 0;
}

double DemandAverage::KeptInASecond(std::int64_t average_ms) {
  return std::exp(-1000.0 / static_cast<double>(std::max<std::int64_t>(1, average_ms)));
}

}  // namespace hashrange
