// CutDecision: where a hot partition is cut, or why it is not
// (docs/service/20-partition-model.md, section 1; docs/service/21-layout-lab.md, section 4). The
// service does not publish how it decides: this is a model. A pure function; any thread.
//
//   samples in the order of time   [ older half | newer half ]
//   cut at the median of the older half, if 20 to 80 % of the newer half lies above it
//
// Keys that rise with time lie above the median of the older half altogether, and keys that fall
// below it: then a cut would not divide the demand, and there is none.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simulation/partitions/key_samples.h"

namespace hashrange {

struct CutTerms {
  // Whether an item collection can be cut by its sort key: the key has a sort key, and the table
  // has no local index.
  bool has_sort_key = false;
  bool has_local_index = false;
  double one_item_share = 0.8;
};

struct CutDecision {
  // Why there is no cut: "item", "order", "range", "local index", "sort key"; empty: there is one.
  std::string_view uncut = {};
  // The first position of the upper part. `key` is empty when the cut is between two item
  // collections.
  std::uint64_t hash = 0;
  std::string key = {};
};

// Returns the decision about the partition whose latest keys are `samples`, the oldest first.
// Without samples the answer is "order": nothing is known of the keys.
CutDecision DecideCut(std::span<const KeySample> samples, const CutTerms& terms);

}  // namespace hashrange
