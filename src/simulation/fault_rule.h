// FaultRule: which calls or accesses a fault is about, which of those that match it fires at, and
// what happens then.
//
//   matching, counted from 1:  1 2 3 4 5 6 7 8 9 …
//   skip 2, every 3:               · · ✓ · · ✓ …     times 2: and then never again
//
// With a probability, a coin decides at each of those: the n-th coin of a rule depends on its seed
// and n alone, so that a test run again sees the same.
//
// Thread-safe: the counters are exact however many threads ask. Everything else is immutable.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "simulation/fault_action.h"
#include "simulation/fault_match.h"

namespace hashrange {

// A rule as it is asked for.
struct FaultSpec {
  std::string name;
  FaultMatch match;
  FaultAction action;
  std::uint64_t skip = 0;
  std::uint64_t every = 1;  // at least 1
  double probability = 1;   // from 0 to 1
  std::optional<std::uint64_t> times;
  std::uint64_t seed = 0;
  // Match and action as JSON, for whoever asks for the rule.
  std::string match_json;
  std::string action_json;
};

class FaultRule {
 public:
  FaultRule(std::uint64_t id, FaultSpec spec) : id_(id), spec_(std::move(spec)) {}

  std::uint64_t id() const { return id_; }
  const FaultSpec& spec() const { return spec_; }
  std::uint64_t matches() const { return matches_.load(std::memory_order_relaxed); }
  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  // Whether the action is decided at the accesses of a call, not before them.
  bool IsDecidedAtAccess() const {
    return spec_.match.IsAboutAccesses() || ActsOnItems(spec_.action);
  }
  // Whether it is decided for each access by itself, not once for a call.
  bool IsDecidedForEachAccess() const {
    return spec_.match.IsAboutAccesses() && ActsOnItems(spec_.action) &&
           spec_.action.kind != FaultAction::Kind::kUnprocessed;
  }

  // Counts one that matches. When the rule fires at it, the milliseconds by which its answer is
  // delayed; else none.
  std::optional<std::int64_t> Decide();

 private:
  bool TakeHit();

  const std::uint64_t id_;
  const FaultSpec spec_;
  std::atomic<std::uint64_t> matches_{0};
  std::atomic<std::uint64_t> hits_{0};
};

}  // namespace hashrange
