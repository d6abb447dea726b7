#include "lab/run/call_arrivals.h"

#include "lab/language/data/draws.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kArrivalDraw = 0x61727276;  // tells it from other draws
constexpr double kUsPerSecond = 1e6;

}  // namespace

CallArrivals::CallArrivals(std::uint64_t seed, int pattern, double calls_per_second,
                           const TrafficFactor& factor)
    : seed_(MixedHash({seed, kArrivalDraw, static_cast<std::uint64_t>(pattern)})),
      mean_s_(1 / calls_per_second),
      factor_(factor) {}

std::optional<CallArrival> CallArrivals::Next() {
  area_s_ += DrawSequence(MixedHash({seed_, number_})).Exponential(mean_s_);
  const std::optional<double> seconds = factor_.SecondsAtArea(area_s_);
  if (!seconds) return std::nullopt;
  return CallArrival{static_cast<std::int64_t>(*seconds * kUsPerSecond), number_++};
}

}  // namespace hashrange
