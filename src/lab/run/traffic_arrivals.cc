#include "lab/run/traffic_arrivals.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr double kUsPerSecond = 1e6;

}  // namespace

TrafficArrivals::TrafficArrivals(const Parts& parts, const LabTraffic& traffic)
    : events_(parts.events), traffic_(traffic), factor_(traffic.phases) {
  const std::vector<LabPattern>& patterns = parts.file.patterns;
  arrivals_.resize(patterns.size());
  next_.resize(patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const double rate = patterns[i].calls_per_second * traffic.multiple / parts.patterns[i].weight;
    if (!(rate > 0) || parts.plan.patterns[i].steps.empty()) continue;
    arrivals_[i].emplace(parts.file.seed, static_cast<int>(i), rate, factor_);
    AddNext(i);
  }
}

void TrafficArrivals::AddNext(std::size_t pattern) {
  const std::optional<CallArrival> next = arrivals_[pattern]->Next();
  if (!next || next->time_us >= traffic_.end_us) return;
  next_[pattern] = *next;
  events_.Add({.time_us = next->time_us,
               .kind = LabEvent::Kind::kArrival,
               .subject = static_cast<std::uint32_t>(pattern)});
}

CallArrival TrafficArrivals::Take(const LabEvent& event) {
  const CallArrival arrival = next_[event.subject];
  AddNext(event.subject);
  return arrival;
}

const std::map<int, double>& TrafficArrivals::HotAt(std::int64_t time_us) const {
  return traffic_.phases[factor_.PhaseAt(static_cast<double>(time_us) / kUsPerSecond)].hot;
}

double TrafficArrivals::length_s() const {
  return std::min(factor_.length_s(), static_cast<double>(traffic_.end_us) / kUsPerSecond);
}

}  // namespace hashrange
