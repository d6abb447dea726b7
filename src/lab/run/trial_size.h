// TrialSize: how long a trial of a first limit takes, and which part of its calls is made. Pure
// functions; any thread.
//
// When one of n calls is made, what tables and partitions serve is divided by n. That is rough if a
// call then takes a large part of what is served in a second: whole units are served, few calls
// meet the limit, and chance decides. So no more calls are left out than the limit allows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/run/lab_result.h"
#include "measure/cost/first_limit.h"

namespace hashrange {

struct TrialSize {
  std::int64_t length_ms = 0;
  std::uint64_t thin = 1;  // one of so many calls is made
  // Whether one of as many calls is made of all patterns. Else fewer are made of patterns that read
  // very much, as in the run; these are patterns that the limit does not depend on.
  bool makes_all_patterns_alike = false;
};

// Returns the size of a trial at the multiple of the declared rates; nothing where it would take
// too many requests.
std::optional<TrialSize> SizeOfTrial(const LayoutRun& run, const LimitRow& row, double multiple);

// Returns the weights of the patterns in a trial of that size: of how many calls one is made.
std::vector<double> TrialWeights(const LayoutRun& run, const TrialSize& size);

}  // namespace hashrange
