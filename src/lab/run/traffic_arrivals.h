// TrafficArrivals: the arrivals of all patterns of a lab file, in the order of their times: of each
// pattern, the next one is in the queue of events. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/call_arrivals.h"
#include "lab/run/event_queue.h"
#include "lab/run/lab_result.h"
#include "lab/run/traffic_factor.h"

namespace hashrange {

// The traffic of a run.
struct LabTraffic {
  std::vector<LabPhase> phases = {};
  double multiple = 1;  // of the declared rates
  // Nothing arrives from this time on.
  std::int64_t end_us = std::numeric_limits<std::int64_t>::max();
};

class TrafficArrivals {
 public:
  // All outlive the object. `patterns` has the weights of all patterns of the file. Patterns
  // without a rate, and those that the layout cannot serve, are not run.
  struct Parts {
    const LabFile& file;
    const LayoutPlan& plan;
    const std::vector<PatternRun>& patterns;
    EventQueue& events;
  };
  TrafficArrivals(const Parts& parts, const LabTraffic& traffic);

  // Returns the arrival of which the event tells, and puts the next one of the pattern into the
  // queue.
  CallArrival Take(const LabEvent& event);
  // Returns what is hot at that time (LabPhase::hot).
  const std::map<int, double>& HotAt(std::int64_t time_us) const;
  // Returns how long the traffic is.
  double length_s() const;

 private:
  void AddNext(std::size_t pattern);

  EventQueue& events_;
  const LabTraffic traffic_;
  const TrafficFactor factor_;
  // Of each pattern: its arrivals, unless it is not run, and the one that is in the queue.
  std::vector<std::optional<CallArrivals>> arrivals_ = {};
  std::vector<CallArrival> next_ = {};
};

}  // namespace hashrange
