// CallArrivals: when the calls of one pattern arrive: a Poisson process whose rate follows the
// traffic. Each step is a pure function of (seed, pattern, arrival number), so all layouts get the
// same calls. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/run/traffic_factor.h"

namespace hashrange {

struct CallArrival {
  std::int64_t time_us = 0;  // from the beginning of the simulation
  std::uint64_t number = 0;  // from 0
};

class CallArrivals {
 public:
  // `calls_per_second` at the factor 1 is more than 0. `factor` outlives the object.
  CallArrivals(std::uint64_t seed, int pattern, double calls_per_second,
               const TrafficFactor& factor);

  // Returns the next arrival; nothing after the end of the traffic.
  std::optional<CallArrival> Next();

 private:
  std::uint64_t seed_;
  double mean_s_;
  const TrafficFactor& factor_;
  double area_s_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace hashrange
