// The traffic of a lab: by how much its rates are multiplied over the time (TrafficFactor), when
// the calls of each pattern arrive (CallArrivals), and the queue of events in which the next
// arrival of each pattern waits (TrafficArrivals). Used by one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/lab_result.h"

namespace hashrange {

inline constexpr std::int64_t kUsPerMs = 1000;
inline constexpr double kUsPerSecond = 1e6;
inline constexpr double kMsPerSecond = 1e3;

// What happens at a simulated time.
struct LabEvent {
  enum class Kind : std::uint8_t {
    kArrival,   // of pattern `subject`
    kRequest,   // request `detail` of open call `subject` is sent
    kNextStep,  // open call `subject` goes on
    kMinute,    // expired items are deleted
  };
  std::int64_t time_us = 0;
  std::uint64_t order = 0;  // set by Add
  Kind kind = Kind::kArrival;
  std::uint32_t subject = 0;
  std::uint32_t detail = 0;
};

// Events of one time happen in the order in which they were added.
class EventQueue {
 public:
  bool empty() const { return events_.empty(); }

  // Returns the time of the earliest event. Precondition: there is one.
  std::int64_t NextTime() const { return events_.front().time_us; }

  void Add(LabEvent event) {
    event.order = next_order_++;
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), IsLater);
  }

  // Removes the earliest event and returns it. Precondition: there is one.
  LabEvent Take() {
    std::pop_heap(events_.begin(), events_.end(), IsLater);
    const LabEvent event = events_.back();
    events_.pop_back();
    return event;
  }

 private:
  static bool IsLater(const LabEvent& a, const LabEvent& b) {
    return a.time_us != b.time_us ? a.time_us > b.time_us : a.order > b.order;
  }

  std::vector<LabEvent> events_ = {};
  std::uint64_t next_order_ = 0;
};

// By how much the declared rates of a lab are multiplied, over the simulated time.
// Times are seconds from the beginning of the simulation. Immutable: any thread may use it.
//
//   factor 8 |        /|
//          4 |       / |——
//          1 |——————/  |
//            └──────────────
//   traffic: [{for: 30m, rate: 1}, {for: 10m, ramp: [1, 8]}, {for: 5m, rate: 4}]
class TrafficFactor {
 public:
  explicit TrafficFactor(const std::vector<LabPhase>& phases);

  double length_s() const;
  double greatest() const;  // factor; 0 without traffic
  // Returns the sum of the factors of all seconds: how many seconds at the factor 1 would have as
  // many calls as the whole traffic.
  double whole_area_s() const;
  // Returns the same sum of the seconds before `seconds`.
  double AreaAt(double seconds) const;
  // Returns when the area from the beginning reaches `area_s`; nothing when it never does.
  // Cost: O(log n) for n stretches.
  std::optional<double> SecondsAtArea(double area_s) const;
  // Returns the number of the phase at that time.
  std::size_t PhaseAt(double seconds) const;

 private:
  // A stretch on which the factor changes evenly.
  struct Stretch {
    double begin_s = 0;
    double length_s = 0;
    double from = 0;
    double to = 0;
    double end_area_s = 0;
  };

  void AddPhase(const LabPhase& phase);
  void AddSinusoid(const LabPhase& phase);
  void AddStretch(double length_s, double from, double to);

  std::vector<Stretch> stretches_ = {};
  std::vector<double> phase_ends_s_ = {};
};

struct CallArrival {
  std::int64_t time_us = 0;  // from the beginning of the simulation
  std::uint64_t number = 0;  // from 0
};

// When the calls of one pattern arrive: a Poisson process whose rate follows the traffic. Each step
// is a pure function of (seed, pattern, arrival number), so all layouts get the same calls.
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

// The traffic of a run.
struct LabTraffic {
  std::vector<LabPhase> phases = {};
  double multiple = 1;  // of the declared rates
  // Nothing arrives from this time on.
  std::int64_t end_us = std::numeric_limits<std::int64_t>::max();
};

// The arrivals of all patterns of a lab file, in the order of their times.
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
