// KeySamples: a sample of the latest keys to which a partition's demand goes, each with a chance in
// proportion to its units. The memory is bounded: the newest kMaxSamples keys are kept, of each at
// most kMaxKeyBytes. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

}  // namespace hashrange
