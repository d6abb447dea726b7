#include "simulation/partitions/key_samples.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace hashrange {
namespace {

// A number from 0 up to, but not including, 1.
double Fraction(Random& random) { return static_cast<double>(random.Next() >> 11) * 0x1p-53; }

// Returns where an encoded key ends. The key at which a page begins may be the beginning of one
// only.
std::size_t EndOfKey(const KeySchema& key, std::string_view encoded) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < key.parts() && at < encoded.size(); ++i) {
    at += EncodedPrefixEnd(encoded.substr(at), key.part(i).type);
  }
  return at;
}

}  // namespace

KeySamples::KeySamples(double units_a_sample, std::uint64_t seed)
    : units_a_sample_(units_a_sample), random_(seed) {
  DrawNextGap();
}

void KeySamples::DrawNextGap() { units_to_next_ += 2 * units_a_sample_ * Fraction(random_); }

void KeySamples::Add(const KeySchema& key, const PositionSpan& span, bool is_range, double units) {
  units_to_next_ -= units;
  if (units_to_next_ > 0) return;
  // An access of many units is one sample only: it tells of one key.
  units_to_next_ = 0;
  DrawNextGap();
  const bool is_last = (random_.Next() & 1) != 0;
  const Position& position = is_last ? span.last : span.first;
  const std::string_view bytes = position.bytes;
  const std::string_view own = bytes.substr(0, EndOfKey(key, bytes));
  Keep({.hash = position.hash,
        .key = std::string(own.substr(0, kMaxKeyBytes)),
        .item = std::hash<std::string_view>()(bytes),
        .is_range = is_range});
}

void KeySamples::Keep(KeySample sample) {
  if (samples_.size() < kMaxSamples) {
    samples_.push_back(std::move(sample));
    return;
  }
  samples_[oldest_] = std::move(sample);
  oldest_ = (oldest_ + 1) % kMaxSamples;
}

std::vector<KeySample> KeySamples::InOrderOfTime() const {
  std::vector<KeySample> samples = samples_;
  std::rotate(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(oldest_),
              samples.end());
  return samples;
}

}  // namespace hashrange
