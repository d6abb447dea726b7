#include "measure/meter/time_counter.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

std::int64_t FloorTo(std::int64_t epoch_ms, std::int64_t width_ms) {
  return epoch_ms - epoch_ms % width_ms;
}

template <typename Map>
void ForgetBefore(Map& map, std::int64_t epoch_ms) {
  map.erase(map.begin(), map.lower_bound(epoch_ms));
}

}  // namespace

void HeatRows::Add(const HeatRows& other) {
  for (std::size_t i = 0; i < kHeatRows; ++i) {
    read[i] += other.read[i];
    write[i] += other.write[i];
  }
}

void SecondSums::Add(const SecondSums& other) {
  calls += other.calls;
  errors += other.errors;
  read_units += other.read_units;
  write_units += other.write_units;
  for (const auto& [reason, count] : other.throttles) throttles[reason] += count;
  for (const auto& [resource, rows] : other.heat) heat[resource].Add(rows);
}

std::int64_t TimeCounter::BucketOf(std::int64_t epoch_ms) const {
  return FloorTo(epoch_ms, bucket_ms_);
}

void TimeCounter::Add(std::int64_t second_epoch_ms, const SecondSums& sums) {
  std::lock_guard lock(mutex_);
  while (buckets_.size() >= kMaxBuckets && !buckets_.contains(BucketOf(second_epoch_ms))) Widen();
  buckets_[BucketOf(second_epoch_ms)].sums.Add(sums);
  Units& second = seconds_[second_epoch_ms];
  second.read += sums.read_units;
  second.write += sums.write_units;
  Units& minute = minutes_[FloorTo(second_epoch_ms, kMinuteMs)];
  minute.read += sums.read_units;
  minute.write += sums.write_units;
  TakePeaks(second_epoch_ms);
  const std::int64_t open_since = second_epoch_ms - kOpenSeconds * kSecondMs;
  ForgetBefore(seconds_, open_since);
  ForgetBefore(minutes_, FloorTo(open_since, kMinuteMs));
}

// Peaks only grow, so a second that is still open may be taken each time.
void TimeCounter::TakePeaks(std::int64_t second_epoch_ms) {
  Bucket& bucket = buckets_[BucketOf(second_epoch_ms)];
  const Units& second = seconds_[second_epoch_ms];
  bucket.peak_second_read = std::max(bucket.peak_second_read, second.read);
  bucket.peak_second_write = std::max(bucket.peak_second_write, second.write);
  const Units& minute = minutes_[FloorTo(second_epoch_ms, kMinuteMs)];
  bucket.peak_minute_read = std::max(bucket.peak_minute_read, minute.read);
  bucket.peak_minute_write = std::max(bucket.peak_minute_write, minute.write);
}

void TimeCounter::Widen() {
  bucket_ms_ *= 2;
  std::map<std::int64_t, Bucket> wider;
  for (auto& [begin, bucket] : buckets_) {
    Bucket& into = wider[BucketOf(begin)];
    into.sums.Add(bucket.sums);
    into.peak_second_read = std::max(into.peak_second_read, bucket.peak_second_read);
    into.peak_second_write = std::max(into.peak_second_write, bucket.peak_second_write);
    into.peak_minute_read = std::max(into.peak_minute_read, bucket.peak_minute_read);
    into.peak_minute_write = std::max(into.peak_minute_write, bucket.peak_minute_write);
  }
  buckets_ = std::move(wider);
}

TimeMeasure TimeCounter::Buckets() const {
  std::lock_guard lock(mutex_);
  TimeMeasure time;
  time.bucket_ms = bucket_ms_;
  for (const auto& [begin, bucket] : buckets_) {
    TimeBucket& made = time.buckets.emplace_back();
    made.begin_epoch_ms = begin;
    made.calls = bucket.sums.calls;
    made.errors = bucket.sums.errors;
    for (const auto& [reason, count] : bucket.sums.throttles) {
      made.throttles.push_back({reason, count});
    }
    made.read_units = bucket.sums.read_units;
    made.write_units = bucket.sums.write_units;
    made.peak_second_read_units = bucket.peak_second_read;
    made.peak_second_write_units = bucket.peak_second_write;
    made.peak_minute_read_units = bucket.peak_minute_read;
    made.peak_minute_write_units = bucket.peak_minute_write;
  }
  return time;
}

std::vector<HeatSlice> TimeCounter::HeatOf(const ResourceId& resource) const {
  std::lock_guard lock(mutex_);
  std::vector<HeatSlice> slices;
  for (const auto& [begin, bucket] : buckets_) {
    const auto found = bucket.sums.heat.find(resource);
    if (found == bucket.sums.heat.end()) continue;
    slices.push_back({begin,
                      {found->second.read.begin(), found->second.read.end()},
                      {found->second.write.begin(), found->second.write.end()}});
  }
  return slices;
}

}  // namespace hashrange
