// DeclaredKeyLoad: the units a second that declared rates of patterns put on one key, of which the
// measurement knows only what all patterns together put on it. Pure functions; any thread.
//
//   pattern     writes GSI1 under   rate × units a call   on the key CUSTOMER
//   sign up     CUSTOMER            2 × 1                 2, as the template is the key
//   order       CUST#{id}           4 × 1                 0, as no such key is CUSTOMER
//
// A pattern whose only template is the key itself puts all of its units there. Patterns whose
// templates the key may have (a key DAY#3 of DAY#{n}) put the rest there, each the same share of
// its units. What a write puts into an index is known by the templates of the entities that it
// wrote there. When several patterns are left and of one of them no template is known, nothing is
// known of the key.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "measure/call_rates.h"
#include "measure/measurement.h"
#include "measure/rules/design_rules.h"

namespace hashrange {

// A key whose load is asked for.
struct LoadedKey {
  std::string text = {};  // the key's template, or the key: "PK=CUST#{id}", "PK=STATS, SK=VIEWS"
  bool is_item = false;   // one item, not all items with one partition key
  std::string_view direction = {};  // "read", "write"
  double share = 0;  // of the units that reads of single keys, or writes, took of the resource
};

// Units a second.
struct KeyLoad {
  double units = 0;
  // The part of reads that are strongly consistent or in transactions: each pattern that may read
  // the key reads it as it reads others.
  double strong_read_units = 0;
};

// Returns the units a second that the rates put on the key of the resource. Of a partition key of a
// table, its entries in local indexes count, too (WithLocalIndexes). Returns nothing when the
// measurement does not tell which patterns use the key, or none of these has a declared rate.
std::optional<KeyLoad> DeclaredKeyLoad(const Measurement& measurement, const PatternRates& rates,
                                       const ResourceMeasure& resource, const LoadedKey& key);

// Which part of a key's read units may be of reads that are strongly consistent or in transactions.
struct StrongShare {
  double least = 0;
  double most = 1;
};

// Returns the bounds for a key that took so many read units at least. They follow from the patterns
// that may read the key; each of these reads a table in one way, as its requests say. Where no
// pattern is known that reads the key, nothing is known.
StrongShare StrongShareOfKey(const Measurement& measurement, const ResourceMeasure& resource,
                             const LoadedKey& key, double read_units);

// --- Keys by their share of the measured units ---

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

// Units a second of one key at the declared rates.
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

// Returns the write units a second that the declared rates put on the table or index, whatever the
// keys; 0 without rates. Where it is not known which patterns use a key, the key's share of them is
// what the key needs if the rates have the proportions of the measurement.
double DeclaredWriteUnits(const Measurement& measurement, const PatternRates& rates,
                          const ResourceMeasure& resource);

}  // namespace hashrange
