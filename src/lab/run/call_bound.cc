#include "lab/run/call_bound.h"

#include <cmath>
#include <string>

#include "lab/run/traffic_factor.h"
#include "measure/number_text.h"

namespace hashrange {

double CallsOfTraffic(const LabFile& file) {
  double calls_per_second = 0;
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.calls_per_second > 0) calls_per_second += pattern.calls_per_second;
  }
  return calls_per_second * TrafficFactor(file.traffic).whole_area_s();
}

Status CheckCallCount(const LabFile& file, std::uint64_t thin) {
  constexpr double kMostCallsOfThinnedRun = kMostCallsOfRun * kGreatestThin;
  const double all = CallsOfTraffic(file);
  const double calls = all / static_cast<double>(thin);
  if (calls <= kMostCallsOfRun) return {};
  const std::string bound =
      " calls in each layout, and a run makes " + NumberText(kMostCallsOfRun) + " at most; ";
  if (!(all <= kMostCallsOfThinnedRun)) {
    return ValidationError("the traffic has more than " + NumberText(kMostCallsOfThinnedRun) +
                           bound + "make the phases of `traffic` shorter, or its rates lower");
  }
  // As the option is written: without commas.
  const std::string enough =
      std::to_string(static_cast<std::uint64_t>(std::ceil(all / kMostCallsOfRun)));
  return ValidationError("the traffic would make " + NumberText(calls) + bound +
                         "make the phases of `traffic` shorter, or run with --thin " + enough +
                         ", which makes one of " + enough + " calls");
}

}  // namespace hashrange
