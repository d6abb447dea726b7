// CutDecision: where a hot partition is cut, or why it is not, by a sample of the keys that make it
// hot (docs/service/20-partition-model.md, section 1; docs/service/21-layout-lab.md, section 4).
// The service does not publish how it decides: this is a model.
//
//   samples in the order of time   [ older half | newer half ]
//   cut at the median of the older half, if 20 to 80 % of the newer half lies above it
//
// Keys that rise with time lie above the median of the older half altogether, and keys that fall
// below it: then a cut would not divide the demand, and there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "simulation/partitions/draw.h"
#include "value/schema.h"

namespace hashrange {

struct KeySample {
  std::uint64_t hash = 0;  // of the partition key
  // The encoded key, without what follows it in a position of an index; only the beginning of a
  // longer key.
  std::string key = {};
  std::size_t item = 0;   // equal for two samples of one item
  bool is_range = false;  // a Query or a Scan read from here on, or up to here
};

// A sample of the latest keys to which a partition's demand goes, each with a chance in proportion
// to its units. The memory is bounded: the newest kMaxSamples keys are kept, of each at most
// kMaxKeyBytes. Not thread-safe.
class KeySamples {
 public:
  static constexpr std::size_t kMaxSamples = 256;
  static constexpr std::size_t kMaxKeyBytes = 3200;

  // One sample is taken of `units_a_sample` units, on average.
  KeySamples(double units_a_sample, std::uint64_t seed);

  // Counts a demand for the positions, which are of a table or an index with this key. The sample
  // of several positions is the first or the last of them. `is_range`: Draw::is_range.
  void Add(const KeySchema& key, const PositionSpan& span, bool is_range, double units);
  // Returns the samples, the oldest first.
  std::vector<KeySample> InOrderOfTime() const;

 private:
  void DrawNextGap();
  void Keep(KeySample sample);

  double units_a_sample_;
  double units_to_next_ = 0;
  Random random_;
  std::vector<KeySample> samples_;
  std::size_t oldest_ = 0;  // in samples_, when it is full
};

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
