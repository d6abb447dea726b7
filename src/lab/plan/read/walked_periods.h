// WalkedPeriods: what the calls of one read are expected to take that asks one period of a time
// after another (walk_cost.h), over all moments of the traffic: what a period has depends on when a
// call comes. Used by one thread.
//
//   walk from the newest day, at 00:01    2026-01-01 has what calls have created in a minute,
//                                         2025-12-31 one of 90 parts of {past: 90d}, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lab/plan/cost/walk_cost.h"
#include "lab/plan/read/plan_choice.h"

namespace hashrange {

// What one kind of calls meets in all periods, by the average call of the traffic.
struct WalkedCase {
  PageLoad page = {};
  Moments asked = {};          // of the items of `page`
  double created = 0;          // the share of both that calls have created
  Spread factors = Spread(1);  // WalkLoad::factors, of what there was before the traffic

  friend bool operator==(const WalkedCase&, const WalkedCase&) = default;
};

class WalkedPeriods {
 public:
  // Both outlive the object. The candidate walks.
  WalkedPeriods(const ReadQuestion& question, const ReadCandidate& candidate);

  // Adds the share `weight` of the calls. Returns what one of them takes.
  WalkCost Add(const WalkedCase& one, double weight);

  // Of the calls that were added: the share of all units that the hottest period has, the walk with
  // how many periods it asks, and ReadCandidate::unfinished.
  double HottestShare() const;
  std::optional<PeriodWalk> Walk() const;
  double unfinished() const { return unfinished_; }

 private:
  // The periods that a call at one moment of the traffic asks, in their order.
  struct Moment {
    double created = 1;  // how many calls have been made until then, by the average number
    std::vector<std::int64_t> begins_ms = {};  // since 1970
    // The share that each period has of the instances that were there when the traffic began, and
    // of those that calls have created until then.
    std::vector<double> of_initial = {};
    std::vector<double> of_created = {};
    bool is_cut = false;  // there are more periods than a walk asks
  };

  void FindPeriods(double moment_ms, Moment& moment) const;
  LabAttributeRef WalkedAttribute() const;
  double ShareOfCreated(LabAttributeRef attribute, double moment_ms, double from_ms,
                        double to_ms) const;
  WalkLoad LoadOf(const WalkedCase& one, const Moment& moment) const;

  const ReadQuestion& question_;
  const ReadCandidate& candidate_;
  std::vector<Moment> moments_ = {};
  // The case that was added last, and what it takes at each moment.
  WalkedCase last_ = {};
  std::vector<WalkCost> costs_ = {};
  std::vector<double> ending_at_ = {};  // the share of the calls whose walk ends so far from 0
  std::map<std::int64_t, double> units_of_period_ = {};  // by when it begins
  double unfinished_ = 0;
};

}  // namespace hashrange
