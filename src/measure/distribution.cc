#include "measure/distribution.h"

#include <algorithm>
#include <bit>

namespace hashrange {
namespace {

// Values are counted in halves, as the least read costs half a unit.
constexpr double kStepsPerUnit = 2;
constexpr std::uint64_t kExactSteps = 256;
// Above kExactSteps, each power of two is divided into this many buckets.
constexpr std::uint64_t kBucketsPerOctave = 32;
constexpr int kExactBits = 8;
constexpr int kOctaveBits = 5;
// The greatest value that has a bucket of its own, in steps.
constexpr double kMostSteps = 9.0e18;

}  // namespace

std::uint32_t Distribution::BucketOf(double value) {
  const double steps = std::max(std::min(value * kStepsPerUnit, kMostSteps), 0.0);
  auto whole = static_cast<std::uint64_t>(steps);
  if (static_cast<double>(whole) < steps) ++whole;
  if (whole < kExactSteps) return static_cast<std::uint32_t>(whole);
  const int octave = static_cast<int>(std::bit_width(whole)) - 1;
  const std::uint64_t within = (whole >> (octave - kOctaveBits)) - kBucketsPerOctave;
  return static_cast<std::uint32_t>(
      kExactSteps + static_cast<std::uint64_t>(octave - kExactBits) * kBucketsPerOctave + within);
}

double Distribution::GreatestOf(std::uint32_t bucket) {
  if (bucket < kExactSteps) return bucket / kStepsPerUnit;
  const std::uint64_t above = bucket - kExactSteps;
  const int octave = kExactBits + static_cast<int>(above / kBucketsPerOctave);
  const std::uint64_t within = above % kBucketsPerOctave + kBucketsPerOctave;
  const std::uint64_t next = (within + 1) << (octave - kOctaveBits);
  return static_cast<double>(next - 1) / kStepsPerUnit;
}

std::size_t Distribution::AddToBucket(std::uint32_t number, std::uint64_t times) {
  auto at = std::ranges::lower_bound(buckets_, number, {}, &Bucket::number);
  if (at != buckets_.end() && at->number == number) {
    at->count += times;
  } else {
    at = buckets_.insert(at, Bucket{number, times});
  }
  return static_cast<std::size_t>(at - buckets_.begin());
}

void Distribution::AddOther(double value, std::uint64_t times) {
  if (times == 0) return;
  count_ += times;
  sum_ += value * static_cast<double>(times);
  max_ = std::max(max_, value);
  latest_ = AddToBucket(BucketOf(value), times);
  latest_value_ = value;
}

void Distribution::Add(const Distribution& other) {
  latest_value_ = kNoValue;
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
  for (const Bucket& bucket : other.buckets_) AddToBucket(bucket.number, bucket.count);
}

void Distribution::Subtract(const Distribution& other) {
  latest_value_ = kNoValue;
  count_ -= std::min(count_, other.count_);
  sum_ -= other.sum_;
  for (const Bucket& bucket : other.buckets_) {
    const auto at = std::ranges::lower_bound(buckets_, bucket.number, {}, &Bucket::number);
    if (at == buckets_.end() || at->number != bucket.number) continue;
    at->count -= std::min(at->count, bucket.count);
    if (at->count == 0) buckets_.erase(at);
  }
}

double Distribution::Percentile(double share) const {
  if (count_ == 0) return 0;
  const double wanted = share * static_cast<double>(count_);
  std::uint64_t seen = 0;
  for (const Bucket& bucket : buckets_) {
    seen += bucket.count;
    if (static_cast<double>(seen) >= wanted) return std::min(GreatestOf(bucket.number), max_);
  }
  return max_;
}

std::uint64_t Distribution::CountAbove(double limit) const {
  const std::uint32_t number = BucketOf(limit);
  std::uint64_t above = 0;
  for (const Bucket& bucket : buckets_) {
    if (bucket.number > number) above += bucket.count;
  }
  return above;
}

Distribution Distribution::Of(std::vector<Bucket> buckets, double sum, double max) {
  Distribution made;
  made.buckets_ = std::move(buckets);
  for (const Bucket& bucket : made.buckets_) made.count_ += bucket.count;
  made.sum_ = sum;
  made.max_ = max;
  return made;
}

}  // namespace hashrange
