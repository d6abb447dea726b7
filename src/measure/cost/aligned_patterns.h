// AlignedPattern: a pattern of several measurements. Patterns belong together by their names, or
// else by their ids; a pattern that has a name in one measurement only, by its text. Comparisons
// and reports of several measurements both take their rows from here. Pure functions; any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "measure/measurement.h"
#include "measure/named_patterns.h"

namespace hashrange {

struct AlignedPattern {
  std::string title = {};             // of the first measurement that has it
  std::vector<std::string> ids = {};  // in all measurements
  // One for each measurement; null: the measurement has no such pattern.
  std::vector<std::unique_ptr<const NamedPattern>> sides = {};
};

// Returns the patterns in the order of the first measurement, then those that are new in the
// second, and so on. Cost: O(patterns · measurements).
std::vector<AlignedPattern> AlignPatterns(std::span<const Measurement* const> measurements);

}  // namespace hashrange
