#include "lab/plan/cost/walk_cost.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hashrange {
namespace {

constexpr double kNothing = 1e-9;  // a share of the calls that does not count

bool AreAlike(const Spread& factors) { return factors.part(0) == factors.part(Spread::kParts - 1); }

// Follows the calls of one walk from period to period. What calls have found is told apart in steps
// of `grain` items, so that a large number of wanted items takes no more time.
class WalkFollower {
 public:
  WalkFollower(const WalkLoad& load, PageCosts& costs)
      : load_(load),
        is_alike_(AreAlike(load.factors)),
        grain_(std::max(1.0, std::ceil(load.wanted / kMostSteps))),
        wanted_(static_cast<std::size_t>(std::ceil(load.wanted / grain_))),
        page_costs_(costs) {
    cost_.units_of_period.resize(load.items.shares.size());
    cost_.ending_at.resize(load.items.shares.size());
    if (load.end == WalkLoad::End::kLimit) {
      for (std::size_t steps = 0; steps <= wanted_; ++steps) {
        of_steps_.push_back(MeanPageCost(
            {.items = {static_cast<double>(steps) * grain_, 0}, .item_bytes = load.item_bytes}));
      }
    }
  }

  // Follows the share `weight` of the calls, which have this factor.
  void Follow(double factor, double weight) {
    std::vector<double> walking(wanted_);  // the share of the calls that have found so many steps
    walking[0] = weight;
    double left = weight;
    Moments found;
    for (std::size_t period = 0; period < cost_.ending_at.size() && left > kNothing; ++period) {
      if (period == 0 || !IsLikeBefore(period)) {
        found = InPeriod(&WalkedItems::found, factor, period);
        found_ = SharesOfSteps(found);
        FindCosts(InPeriod(&WalkedItems::read, factor, period), found);
      }
      Ask(walking, period);
      if (load_.end == WalkLoad::End::kOfData) cost_.found += left * found.mean;
      Move(walking);
      double still = 0;
      for (const double one : walking) still += one;
      const bool is_last = period + 1 == cost_.ending_at.size();
      cost_.ending_at[period] += is_last ? left : left - still;
      left = still;
    }
    cost_.unfinished += left;
    if (load_.end == WalkLoad::End::kOfData) return;
    cost_.found += (weight - left) * load_.wanted;
    for (std::size_t steps = 0; steps < wanted_; ++steps) {
      cost_.found += walking[steps] * static_cast<double>(steps) * grain_;
    }
  }

  WalkCost Finish() {
    for (const double units : cost_.units_of_period) cost_.units += units;
    return std::move(cost_);
  }

 private:
  static constexpr double kMostSteps = 500;

  bool IsLikeBefore(std::size_t period) const {
    const auto is_like = [&](const std::vector<double>& shares) {
      return shares.empty() || std::abs(shares[period] - shares[period - 1]) < kNothing;
    };
    return is_like(load_.items.shares) && is_like(load_.more.shares);
  }

  // Returns how many items a period has.
  Moments InPeriod(Moments WalkedItems::*items, double factor, std::size_t period) const {
    const Moments& all = load_.items.*items;
    // Where factors differ, they say the number, which varies no further.
    const Moments own = is_alike_ ? all : Moments{all.mean * factor, 0};
    Moments sum = own.Thinned(load_.items.shares[period]);
    if (load_.more.shares.empty()) return sum;
    const Moments more = (load_.more.*items).Thinned(load_.more.shares[period]);
    return {sum.mean + more.mean, sum.variance + more.variance};
  }

  std::vector<double> SharesOfSteps(const Moments& items) const {
    return SharesOfCounts({items.mean / grain_, items.variance / grain_ / grain_}, wanted_);
  }

  // Returns how many of the items that a period has are in one shard.
  Moments InShard(const Moments& items) const {
    Moments one = items.Thinned(1 / load_.shards);
    one.variance += load_.shard_variation * one.mean * one.mean;
    return one;
  }

  // Finds what all shards of a period cost by how many steps are missing.
  void FindCosts(const Moments& read, const Moments& found) {
    costs_.assign(wanted_ + 1, {});
    if (load_.end == WalkLoad::End::kLimit) {
      const std::vector<double> shares = SharesOfSteps(InShard(found));
      PageCost fewer;  // of the shards that have fewer than are missing
      double rest = 1;
      for (std::size_t missing = 1; missing <= wanted_; ++missing) {
        AddTo(fewer, of_steps_[missing - 1], shares[missing - 1]);
        rest -= shares[missing - 1];
        costs_[missing] = fewer;
        AddTo(costs_[missing], of_steps_[missing], std::max(0.0, rest));
      }
      return;
    }
    const PageCost all = page_costs_.Mean(InShard(read));
    for (std::size_t missing = 1; missing <= wanted_; ++missing) {
      const double wanted = static_cast<double>(missing) * grain_;
      const bool ends_early = load_.end == WalkLoad::End::kFound && all.pages > 1;
      AddTo(costs_[missing], ends_early ? CostUntilFound(all, InShard(found), wanted) : all, 1);
      costs_[missing].pages = std::max(1.0, costs_[missing].pages);
    }
  }

  static void AddTo(PageCost& sum, const PageCost& one, double share) {
    sum.units += share * one.units;
    sum.items += share * one.items;
    sum.pages += share * one.pages;
  }

  // Adds what the calls that are still walking take of the period.
  void Ask(const std::vector<double>& walking, std::size_t period) {
    for (std::size_t steps = 0; steps < wanted_; ++steps) {
      if (walking[steps] <= 0) continue;
      const double requests = walking[steps] * load_.shards;
      const PageCost& one = costs_[wanted_ - steps];
      cost_.units_of_period[period] += requests * one.units;
      cost_.items += requests * one.items;
      cost_.requests += requests * one.pages;
    }
  }

  // Moves each call by what it finds in the period; calls that have enough leave.
  void Move(std::vector<double>& walking) const {
    const double nothing = kNothing / static_cast<double>(wanted_);
    // Of the numbers that a period may have, few are likely.
    std::size_t least = 0;
    std::size_t end = found_.size();
    while (least < end && found_[least] < nothing) ++least;
    while (end > least && found_[end - 1] < nothing) --end;
    std::vector<double> moved(wanted_);
    for (std::size_t steps = 0; steps < wanted_; ++steps) {
      if (walking[steps] <= nothing) continue;
      for (std::size_t more = least; more < std::min(end, wanted_ - steps); ++more) {
        moved[steps + more] += walking[steps] * found_[more];
      }
    }
    walking = std::move(moved);
  }

  const WalkLoad& load_;
  const bool is_alike_;  // there is one factor, 1
  const double grain_;
  const std::size_t wanted_;  // steps
  PageCosts& page_costs_;
  std::vector<PageCost> of_steps_ = {};  // of a request that reads so many steps
  std::vector<double> found_ = {};       // the present period: how likely each number of steps is
  std::vector<PageCost> costs_ = {};     // … and what it takes of a call that misses so many
  WalkCost cost_ = {};
};

WalkCost CostOfLoad(const WalkLoad& load, PageCosts& costs) {
  WalkFollower follower(load, costs);
  if (AreAlike(load.factors)) {
    follower.Follow(1, 1);
    return follower.Finish();
  }
  for (std::size_t part = 0; part < Spread::kParts; ++part) {
    const double half = load.factors.HalfWidth(part);
    for (const double place : {-2.0 / 3, 0.0, 2.0 / 3}) {
      follower.Follow(load.factors.part(part) + place * half, 1.0 / Spread::kParts / 3);
    }
  }
  return follower.Finish();
}

}  // namespace

WalkCost MeanWalkCost(const WalkLoad& load, PageCosts& costs) {
  constexpr std::size_t kMostKept = 1'000'000;  // periods of all walks together
  thread_local absl::flat_hash_map<WalkLoad, WalkCost> kept;
  thread_local std::size_t periods = 0;
  if (const auto known = kept.find(load); known != kept.end()) return known->second;
  if (periods >= kMostKept) {
    kept.clear();
    periods = 0;
  }
  periods += load.items.shares.size();
  return kept.emplace(load, CostOfLoad(load, costs)).first->second;
}

WalkCost MeanWalkCost(const WalkLoad& load) {
  PageCosts costs({.item_bytes = load.item_bytes});
  return MeanWalkCost(load, costs);
}

}  // namespace hashrange
