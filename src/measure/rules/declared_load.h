// Which part of the units of a table or an index single keys took, and how many units a second
// these keys need at declared rates. Only the rules need it. Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "measure/call_rates.h"
#include "measure/measurement.h"
#include "measure/rules/declared_key_load.h"
#include "measure/rules/rule_evidence.h"

namespace hashrange {

// The part of a table's or an index's units that one key had: between `least` and `most`, as the
// counters of keys are not exact.
struct KeyShare {
  std::string key = {};
  std::string shape = {};  // the key's template, or the key where no template is known
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

// Units a second of one key at the declared rates (declared_key_load.h).
struct DeclaredRange {
  double least = 0;
  double most = 0;
  double strong_share = 0;  // of these units: reads that are strongly consistent
};

// Returns what the declared rates need of the key; nothing when that is not known.
std::optional<DeclaredRange> DeclaredUnitsOfKey(const Measurement& measurement,
                                                const PatternRates& rates,
                                                const ResourceMeasure& resource,
                                                const KeyShare& share, LoadedKey key);

}  // namespace hashrange
