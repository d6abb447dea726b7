// FaultRule says which calls or accesses it matches, at which of these it fires, and what happens
// then.
//
//   matches, counted from 1:   1 2 3 4 5 6 7 8 9 …
//   skip 2, every 3:               · · ✓ · · ✓ …     times 2: it never fires again after that
//
// With a probability below 1 a random number decides at each ✓. The number at the n-th match
// depends on the rule's seed and n alone, so that a repeated test sees the same faults.
//
// Thread-safe: the counters are exact with any number of threads. Everything else is immutable.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "simulation/fault_action.h"
#include "simulation/fault_match.h"

namespace hashrange {

// The description of a rule, as a client gives it.
struct FaultSpec {
  std::string name;
  FaultMatch match;
  FaultAction action;
  std::uint64_t skip = 0;
  std::uint64_t every = 1;  // at least 1
  double probability = 1;   // from 0 to 1
  std::optional<std::uint64_t> times;
  std::uint64_t seed = 0;
  // Match and action as JSON, for answers about the rule.
  std::string match_json;
  std::string action_json;
};

class FaultRule {
 public:
  FaultRule(std::uint64_t id, FaultSpec spec);

  std::uint64_t id() const { return id_; }
  const FaultSpec& spec() const { return spec_; }
  std::uint64_t matches() const { return matches_.load(std::memory_order_relaxed); }
  // Returns how often the rule has fired.
  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  // Returns whether the rule decides at the accesses of a call and not before them.
  bool IsDecidedAtAccess() const {
    return spec_.match.IsAboutAccesses() || ActsOnItems(spec_.action);
  }
  // Returns whether the rule decides for each access separately and not once for a call.
  bool IsDecidedForEachAccess() const {
    return spec_.match.IsAboutAccesses() && ActsOnItems(spec_.action) &&
           spec_.action.kind != FaultAction::Kind::kUnprocessed;
  }

  // Counts a match. Returns the milliseconds by which the answer is delayed when the rule fires;
  // otherwise nullopt.
  std::optional<std::int64_t> Decide();

 private:
  bool TakeHit();

  const std::uint64_t id_;
  const FaultSpec spec_;
  const std::uint64_t first_number_;  // a hash of the seed: that of the next seed is far away
  std::atomic<std::uint64_t> matches_{0};
  std::atomic<std::uint64_t> hits_{0};
};

}  // namespace hashrange
