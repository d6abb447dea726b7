// What the declared rates of patterns mean for tables, indexes and keys. Only the rules need it.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "measure/findings.h"
#include "measure/measurement.h"
#include "measure/rule_evidence.h"

namespace hashrange {

// Returns the units a second that the declared rates need of a table or index; nothing when no
// pattern with a declared rate was called. A rate of a name that several patterns have is shared
// among them by their calls.
std::optional<UnitSums> DeclaredUnits(const Measurement& measurement, const RuleInput& input,
                                      std::string_view table, std::string_view index);

// The part of a table's or an index's units that one key had: between `least` and `most`, as the
// counters of keys are not exact.
struct KeyShare {
  std::string key = {};
  double least = 0;
  double most = 0;
};

// Returns the greatest share of units in one direction ("read", "write") that one partition key
// had, of all the measurement or of a window of time; nothing where fewer than kLeastUnitsOfShares
// units were seen.
std::optional<KeyShare> GreatestKeyShare(const ResourceMeasure& resource,
                                         std::string_view direction);

// Returns the share of the first of the keys.
std::optional<KeyShare> FirstKeyShare(const TopKeys& keys);

}  // namespace hashrange
