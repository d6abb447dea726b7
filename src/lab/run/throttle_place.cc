#include "lab/run/throttle_place.h"

#include <cstdint>

namespace hashrange {
namespace {

// Sets the table or index whose partitions throttled most accesses. A write that an index throttles
// counts for its table in the resources of a measurement, so these are asked last.
void SetResource(const Measurement& measurement, ThrottlePlace& place) {
  std::int64_t most = 0;
  for (const PartitionMap& map : measurement.partitions) {
    std::int64_t throttled = 0;
    for (const ThrottleCount& each : map.throttles) throttled += each.count;
    if (throttled <= most) continue;
    most = throttled;
    place.table = map.table;
    place.index = map.index;
  }
  if (most > 0) return;
  for (const ResourceMeasure& resource : measurement.resources) {
    const auto throttled = static_cast<std::int64_t>(resource.throttled);
    if (throttled <= most) continue;
    most = throttled;
    place.table = resource.table;
    place.index = resource.index;
  }
}

// Sets the key of the table or index that had half of its throttled accesses at least.
void SetKey(const Measurement& measurement, ThrottlePlace& place) {
  constexpr double kLeastShare = 0.5;
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.table != place.table || resource.index != place.index) continue;
    const TopKeys& top = resource.throttled_keys;
    if (top.keys.empty() || top.keys[0].units < kLeastShare * top.total_units) continue;
    place.key = top.keys[0].key;
  }
}

}  // namespace

ThrottlePlace MostThrottled(const std::vector<PatternRun>& patterns,
                            const Measurement& measurement) {
  ThrottlePlace place;
  double all = 0;
  double most = 0;
  for (const PatternRun& pattern : patterns) {
    const double throttled = pattern.weight * static_cast<double>(pattern.throttled);
    all += throttled;
    if (throttled <= most) continue;
    most = throttled;
    place.pattern = pattern.name;
  }
  if (most <= 0) return place;
  place.pattern_share = most / all;
  SetResource(measurement, place);
  SetKey(measurement, place);
  return place;
}

}  // namespace hashrange
