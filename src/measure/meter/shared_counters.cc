#include "measure/meter/shared_counters.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hashrange {

// --- Time ---

namespace {

std::int64_t FloorTo(std::int64_t epoch_ms, std::int64_t width_ms) {
  return epoch_ms - epoch_ms % width_ms;
}

template <typename Map>
void ForgetBefore(Map& map, std::int64_t epoch_ms) {
  map.erase(map.begin(), map.lower_bound(epoch_ms));
}

}  // namespace

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
  MutexLock lock(mutex_);
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
  bucket.peak_second.Raise(seconds_[second_epoch_ms]);
  bucket.peak_minute.Raise(minutes_[FloorTo(second_epoch_ms, kMinuteMs)]);
}

void TimeCounter::Widen() {
  bucket_ms_ *= 2;
  std::map<std::int64_t, Bucket> wider;
  for (auto& [begin, bucket] : buckets_) {
    Bucket& into = wider[BucketOf(begin)];
    into.sums.Add(bucket.sums);
    into.peak_second.Raise(bucket.peak_second);
    into.peak_minute.Raise(bucket.peak_minute);
  }
  buckets_ = std::move(wider);
}

TimeMeasure TimeCounter::Buckets() const {
  MutexLock lock(mutex_);
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
    made.peak_second_read_units = bucket.peak_second.read;
    made.peak_second_write_units = bucket.peak_second.write;
    made.peak_minute_read_units = bucket.peak_minute.read;
    made.peak_minute_write_units = bucket.peak_minute.write;
  }
  return time;
}

std::vector<HeatSlice> TimeCounter::HeatOf(const ResourceId& resource) const {
  MutexLock lock(mutex_);
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

void TimeCounter::Clear() {
  MutexLock lock(mutex_);
  buckets_.clear();
  seconds_.clear();
  minutes_.clear();
}

// --- Windows ---

namespace {

// Ranks windows by the units that a key has of each call; windows with few calls come last.
bool IsHotter(const HottestKey& a, const HottestKey& b) {
  const bool a_tells = a.calls >= WindowCounter::kTellingCalls;
  const bool b_tells = b.calls >= WindowCounter::kTellingCalls;
  if (a_tells != b_tells) return a_tells;
  const double of_a = a.key.units * static_cast<double>(std::max<std::uint64_t>(b.calls, 1));
  const double of_b = b.key.units * static_cast<double>(std::max<std::uint64_t>(a.calls, 1));
  return of_a != of_b ? of_a > of_b : a.begin_epoch_ms < b.begin_epoch_ms;
}

}  // namespace

HottestKey WindowCounter::HottestOf(std::int64_t begin_epoch_ms, std::uint64_t calls,
                                    const SideSums& sums) {
  HottestKey hottest{begin_epoch_ms, calls, sums.total_units, {}};
  for (const auto& [hash, key] : sums.keys) {
    if (key.units > hottest.key.units) hottest.key = key;
  }
  return hottest;
}

void WindowCounter::Keep(const HottestKey& window, std::vector<HottestKey>* hottest) {
  hottest->insert(std::ranges::upper_bound(*hottest, window, IsHotter), window);
  if (hottest->size() > kHottest) hottest->pop_back();
}

void WindowCounter::Add(std::int64_t begin_epoch_ms, std::uint64_t calls,
                        const std::vector<WindowPart>& parts) {
  MutexLock lock(mutex_);
  Window& window = open_[begin_epoch_ms];
  window.calls += calls;
  for (const WindowPart& part : parts) {
    SideSums& sums = window.sides[{part.resource, part.direction}];
    sums.total_units += part.total_units;
    for (const TopCounter::Counted& counted : part.keys) {
      TopCounter::Counted& there = sums.keys[counted.hash];
      there.hash = counted.hash;
      there.key = counted.key;
      there.units += counted.units;
      there.error += counted.error;
    }
  }
  while (open_.size() > kOpenWindows) {
    const auto oldest = open_.begin();
    for (const auto& [side, sums] : oldest->second.sides) {
      Keep(HottestOf(oldest->first, oldest->second.calls, sums), &hottest_[side]);
    }
    open_.erase(oldest);
  }
}

std::vector<HottestKey> WindowCounter::Hottest(const ResourceId& resource,
                                               MeterDirection direction) const {
  const Side side{resource, direction};
  MutexLock lock(mutex_);
  std::vector<HottestKey> hottest;
  if (const auto found = hottest_.find(side); found != hottest_.end()) hottest = found->second;
  for (const auto& [begin, window] : open_) {
    const auto found = window.sides.find(side);
    if (found != window.sides.end()) Keep(HottestOf(begin, window.calls, found->second), &hottest);
  }
  return hottest;
}

void WindowCounter::Clear() {
  MutexLock lock(mutex_);
  open_.clear();
  hottest_.clear();
}

// --- Open pages ---

void OpenPages::Put(std::uint64_t place, const PagesSoFar& pages) {
  MutexLock lock(mutex_);
  MakeRoom(at_);
  auto& there = at_[place];
  there.reserve(there.size() + 1);  // what may fail for want of memory comes first
  calls_.push_back({place, pages});
  there.push_back(std::prev(calls_.end()));
  if (there.size() > kMaxAtPlace) Remove(at_.find(place));
  if (calls_.size() <= kMax) return;
  ++forgotten_;
  Remove(at_.find(calls_.front().place));
}

std::optional<PagesSoFar> OpenPages::Take(std::uint64_t place) {
  MutexLock lock(mutex_);
  const auto found = at_.find(place);
  if (found == at_.end() || found->second.empty()) return std::nullopt;
  const PagesSoFar pages = found->second.front()->pages;
  Remove(found);
  return pages;
}

void OpenPages::Remove(CallsByPlace::iterator found) {
  calls_.erase(found->second.front());
  found->second.erase(found->second.begin());
  if (found->second.empty()) at_.erase(found);
}

std::uint64_t OpenPages::forgotten() const {
  MutexLock lock(mutex_);
  return forgotten_;
}

void OpenPages::Clear() {
  MutexLock lock(mutex_);
  at_.clear();
  calls_.clear();
}

}  // namespace hashrange
