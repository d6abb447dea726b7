// AskedPeriods: what the calls of one read are expected to take whose partition key has a part of a
// time: which periods a call asks, and what these have, depends on when it comes. So the costs are
// those at several moments of the traffic. Used by one thread.
//
//   {next: 12h} by day, at 10:00          1 period; at 13:00, 2 periods, of which the condition of
//                                         the sort key leaves 11 hours and one hour
//   a walk from the newest day, at 00:01    2026-01-01 has what calls have created in a minute,
//                                         2025-12-31 one of 90 parts of {past: 90d}, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lab/plan/cost/spread.h"
#include "lab/plan/cost/walk_cost.h"
#include "lab/plan/read/plan_choice.h"

namespace hashrange {

// What one kind of calls meets in all periods, by the average call of the traffic, of all instances
// that it asks for together.
struct PeriodCase {
  double instances = 1;
  double variation = 0;  // WalkLoad::shard_variation, of what the instances have
  PageLoad page = {};
  Moments asked = {};          // of the items of `page`
  double created = 0;          // the share of both that calls have created
  Spread factors = Spread(1);  // WalkLoad::factors, of what there was before the traffic

  friend bool operator==(const PeriodCase&, const PeriodCase&) = default;
};

class AskedPeriods {
 public:
  // Both outlive the object. The candidate's interval has buckets. `widened_ms` is how much longer
  // the range is of what the condition of the sort key leaves; below 0: that leaves all of a
  // period.
  AskedPeriods(const ReadQuestion& question, const ReadCandidate& candidate, double widened_ms);

  // Adds the share `weight` of the calls. Returns what one of them takes.
  WalkCost Add(const PeriodCase& one, double weight);

  // Of the calls that were added: the share of all units that the hottest period has; of a walk,
  // how many periods it asks, and ReadCandidate::unfinished.
  double HottestShare() const;
  std::optional<PeriodWalk> Walk() const;
  double unfinished() const { return unfinished_; }

 private:
  // The periods that a call at one moment of the traffic asks, in their order.
  struct Moment {
    double created = 1;  // how many calls have been made until then, by the average number
    std::vector<std::int64_t> begins_ms = {};  // since 1970
    // The share of the instances that were there when the traffic began, and of those that calls
    // have created until then, which each request reads, and which are within the range.
    std::vector<double> of_initial = {};
    std::vector<double> of_created = {};
    std::vector<double> asked_of_initial = {};
    std::vector<double> asked_of_created = {};
    bool is_cut = false;  // there are more periods than a walk asks
  };

  struct TimeSpan {
    double from_ms = 0;  // since the beginning of the traffic
    double to_ms = 0;
  };

  void FindPeriods(double moment_ms, Moment& moment) const;
  void FindShares(double moment_ms, const TimeSpan& period, Moment& moment) const;
  LabAttributeRef AskedAttribute() const;
  double ShareOfCreated(LabAttributeRef attribute, double moment_ms, double from_ms,
                        double to_ms) const;
  WalkLoad LoadOf(const PeriodCase& one, const Moment& moment) const;
  WalkCost CostAtOnce(const WalkLoad& load, const Moment& moment, PageCosts& costs) const;

  const ReadQuestion& question_;
  const ReadCandidate& candidate_;
  const double widened_ms_;
  const LabAttributeRef attribute_;
  std::vector<Moment> moments_ = {};
  // The case that was added last, and what it takes at each moment.
  PeriodCase last_ = {};
  std::vector<WalkCost> costs_ = {};
  std::vector<double> ending_at_ = {};  // the share of the calls whose walk ends so far from 0
  std::map<std::int64_t, double> units_of_period_ = {};  // by when it begins
  double unfinished_ = 0;
};

}  // namespace hashrange
