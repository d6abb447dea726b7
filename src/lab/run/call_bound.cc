#include "lab/run/call_bound.h"

#include <cmath>
#include <string>

#include "lab/run/traffic_factor.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

// Returns how many calls the traffic is expected to make in one layout.
double CallsOfTraffic(const LabFile& file) {
  double calls_per_second = 0;
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.calls_per_second > 0) calls_per_second += pattern.calls_per_second;
  }
  return calls_per_second * TrafficFactor(file.traffic).whole_area_s();
}

}  // namespace

Status CheckCallCount(const LabFile& file, std::uint64_t thin) {
  const double all = CallsOfTraffic(file);
  const double calls = all / static_cast<double>(thin);
  if (calls <= kMostCallsOfRun) return {};
  const std::string enough = NumberText(std::ceil(all / kMostCallsOfRun));
  return ValidationError(
      "the traffic would make " + NumberText(calls) + " calls in each layout, and a run makes " +
      NumberText(kMostCallsOfRun) +
      " at most; make the phases of `traffic` shorter, or make one of so many calls, which "
      "counts as so many, with --thin " +
      enough);
}

}  // namespace hashrange
