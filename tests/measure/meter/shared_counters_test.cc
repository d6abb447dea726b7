#include "measure/meter/shared_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

constexpr std::int64_t kBegin = 1'700'000'040'000;  // the beginning of a minute

SecondSums SumsOf(double read, double write) {
  SecondSums sums;
  sums.calls = 1;
  sums.read_units = read;
  sums.write_units = write;
  return sums;
}

TEST(TimeCounter, BucketsKeepTheirBusiestSecondAndMinute) {
  TimeCounter counter;
  counter.Add(kBegin, SumsOf(1, 2));
  counter.Add(kBegin, SumsOf(3, 0));  // another thread
  counter.Add(kBegin + 5000, SumsOf(2, 0));
  const TimeMeasure time = counter.Buckets();
  EXPECT_EQ(time.bucket_ms, 1000);
  ASSERT_EQ(time.buckets.size(), 2u);
  EXPECT_EQ(time.buckets[0].calls, 2u);
  EXPECT_EQ(time.buckets[0].peak_second_read_units, 4);
  EXPECT_EQ(time.buckets[0].peak_second_write_units, 2);
  EXPECT_EQ(time.buckets[1].peak_second_read_units, 2);
  EXPECT_EQ(time.buckets[1].peak_minute_read_units, 6);
}

TEST(TimeCounter, BucketsBecomeTwiceAsWideWhenThereAreTooMany) {
  TimeCounter counter;
  const int seconds = 5000;
  for (int i = 0; i < seconds; ++i) counter.Add(kBegin + i * 1000, SumsOf(i == 77 ? 100 : 1, 0));
  const TimeMeasure time = counter.Buckets();
  EXPECT_EQ(time.bucket_ms, 4000);
  EXPECT_LE(time.buckets.size(), TimeCounter::kMaxBuckets);
  double sum = 0, peak_second = 0, peak_minute = 0;
  for (const TimeBucket& bucket : time.buckets) {
    sum += bucket.read_units;
    peak_second = std::max(peak_second, bucket.peak_second_read_units);
    peak_minute = std::max(peak_minute, bucket.peak_minute_read_units);
  }
  EXPECT_EQ(sum, seconds + 99);
  EXPECT_EQ(peak_second, 100);
  EXPECT_EQ(peak_minute, 159);
}

// Everything that a bucket says, as text.
std::string BucketText(const TimeBucket& bucket) {
  std::ostringstream text;
  text << bucket.begin_epoch_ms << ": " << bucket.calls << " calls, " << bucket.errors
       << " errors, " << bucket.read_units << " + " << bucket.write_units << " units, seconds of "
       << bucket.peak_second_read_units << " and " << bucket.peak_second_write_units
       << ", minutes of " << bucket.peak_minute_read_units << " and "
       << bucket.peak_minute_write_units;
  for (const NamedCount& throttle : bucket.throttles) {
    text << ", " << throttle.count << " " << throttle.name;
  }
  return text.str();
}

// Adds up everything exactly, and keeps each second.
class ExactTime {
 public:
  void Add(std::int64_t second, const SecondSums& sums) {
    Second& at = seconds_[second];
    at.sums.calls += sums.calls;
    at.sums.errors += sums.errors;
    at.sums.read_units += sums.read_units;
    at.sums.write_units += sums.write_units;
    for (const auto& [reason, count] : sums.throttles) at.sums.throttles[reason] += count;
    for (const auto& [resource, rows] : sums.heat) {
      HeatRows& there = at.sums.heat[resource];
      for (std::size_t row = 0; row < kHeatRows; ++row) {
        there.read[row] += rows.read[row];
        there.write[row] += rows.write[row];
      }
    }
    Peaks& minute = minutes_[second / 60'000];
    minute.read += sums.read_units;
    minute.write += sums.write_units;
    // A minute counts for the buckets in whose seconds it grew.
    at.minute = {std::max(at.minute.read, minute.read), std::max(at.minute.write, minute.write)};
  }

  std::vector<std::string> Buckets(std::int64_t bucket_ms) const {
    std::map<std::int64_t, TimeBucket> buckets;
    std::map<std::int64_t, std::map<std::string, std::uint64_t>> throttles;
    for (const auto& [begin, second] : seconds_) {
      const std::int64_t bucket_begin = begin / bucket_ms * bucket_ms;
      TimeBucket& bucket = buckets[bucket_begin];
      bucket.begin_epoch_ms = bucket_begin;
      bucket.calls += second.sums.calls;
      bucket.errors += second.sums.errors;
      bucket.read_units += second.sums.read_units;
      bucket.write_units += second.sums.write_units;
      const auto raise = [](double value, double* peak) { *peak = std::max(*peak, value); };
      raise(second.sums.read_units, &bucket.peak_second_read_units);
      raise(second.sums.write_units, &bucket.peak_second_write_units);
      raise(second.minute.read, &bucket.peak_minute_read_units);
      raise(second.minute.write, &bucket.peak_minute_write_units);
      for (const auto& [reason, count] : second.sums.throttles) {
        throttles[bucket_begin][reason] += count;
      }
    }
    std::vector<std::string> texts;
    for (auto& [begin, bucket] : buckets) {
      for (const auto& [reason, count] : throttles[begin]) {
        bucket.throttles.push_back({reason, count});
      }
      texts.push_back(BucketText(bucket));
    }
    return texts;
  }

  // Returns the units of each bucket in one row of heat.
  std::map<std::int64_t, std::pair<float, float>> HeatOf(const ResourceId& resource,
                                                         std::size_t row,
                                                         std::int64_t bucket_ms) const {
    std::map<std::int64_t, std::pair<float, float>> heat;
    for (const auto& [begin, second] : seconds_) {
      const auto found = second.sums.heat.find(resource);
      if (found == second.sums.heat.end()) continue;
      auto& [read, write] = heat[begin / bucket_ms * bucket_ms];
      read += found->second.read[row];
      write += found->second.write[row];
    }
    return heat;
  }

 private:
  struct Peaks {
    double read = 0, write = 0;
  };
  struct Second {
    SecondSums sums;
    Peaks minute;
  };
  std::map<std::int64_t, Second> seconds_;
  std::map<std::int64_t, Peaks> minutes_;
};

// Several threads, some of which are late by up to two minutes, over so much time that buckets are
// widened several times or never.
TEST(TimeCounter, AgreesWithAnExactCount) {
  for (const int length_s : {300, 1500, 8000}) {
    SCOPED_TRACE(length_s);
    std::mt19937 random(3);
    const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
    TimeCounter counter;
    ExactTime exact;
    for (int now_s = 0; now_s < length_s; now_s += 1 + below(3)) {
      for (int thread = 0; thread < 3; ++thread) {
        const int late_s = below(4) == 0 ? below(119) : 0;
        const std::int64_t second = kBegin + std::max(0, now_s - late_s) * std::int64_t{1000};
        SecondSums sums = SumsOf(0.5 * below(100), below(50));
        sums.calls = static_cast<std::uint64_t>(1 + below(9));
        sums.errors = static_cast<std::uint64_t>(below(3));
        if (below(5) == 0) sums.throttles[below(2) == 0 ? "a reason" : "another"] = 2;
        HeatRows& rows = sums.heat[{static_cast<std::uint64_t>(below(2)), 0}];
        rows.read[below(kHeatRows)] = static_cast<float>(sums.read_units);
        rows.write[below(kHeatRows)] = static_cast<float>(sums.write_units);
        counter.Add(second, sums);
        exact.Add(second, sums);
      }
    }
    const TimeMeasure time = counter.Buckets();
    std::vector<std::string> counted;
    for (const TimeBucket& bucket : time.buckets) counted.push_back(BucketText(bucket));
    EXPECT_THAT(counted, testing::ContainerEq(exact.Buckets(time.bucket_ms)));
    for (const std::uint64_t table : {0U, 1U}) {
      for (std::size_t row = 0; row < kHeatRows; ++row) {
        std::map<std::int64_t, std::pair<float, float>> heat;
        for (const HeatSlice& slice : counter.HeatOf({table, 0})) {
          heat[slice.begin_epoch_ms] = {static_cast<float>(slice.read_units[row]),
                                        static_cast<float>(slice.write_units[row])};
        }
        ASSERT_EQ(heat, exact.HeatOf({table, 0}, row, time.bucket_ms)) << row;
      }
    }
  }
}

TEST(TimeCounter, AMonthOfClockNeedsNoMoreBuckets) {
  TimeCounter counter;
  for (int hour = 0; hour < 24 * 30; ++hour) {
    counter.Add(kBegin + hour * std::int64_t{3'600'000}, SumsOf(1, 0));
  }
  counter.Add(kBegin, SumsOf(1, 0));  // a thread that was idle for a month
  const TimeMeasure time = counter.Buckets();
  EXPECT_EQ(time.buckets.size(), 720u);
  EXPECT_EQ(time.buckets[0].read_units, 2);
}

TEST(WindowCounter, FindsTheWindowInWhichAKeyWasHottest) {
  WindowCounter counter(60'000);
  const ResourceId resource{1, 0};
  for (int minute = 0; minute < 50; ++minute) {
    const std::string key = "DAY#" + std::to_string(minute);
    const double units = minute == 20 ? 190 : 100;
    counter.Add(kBegin + minute * 60'000, 200,
                {{resource,
                  MeterDirection::kWrite,
                  200,
                  {{static_cast<std::uint64_t>(minute), units, 1, key}}}});
  }
  const auto hottest = counter.Hottest(resource, MeterDirection::kWrite);
  ASSERT_EQ(hottest.size(), WindowCounter::kHottest);
  EXPECT_EQ(hottest[0].key.key, "DAY#20");
  EXPECT_EQ(hottest[0].key.units, 190);
  EXPECT_EQ(hottest[0].calls, 200u);
  EXPECT_TRUE(counter.Hottest(resource, MeterDirection::kRead).empty());
}

TEST(WindowCounter, AddsWhatTwoThreadsSawInOneWindow) {
  WindowCounter counter(60'000);
  const ResourceId resource{1, 2};
  for (int thread = 0; thread < 2; ++thread) {
    counter.Add(kBegin, 60, {{resource, MeterDirection::kRead, 50, {{7, 30, 0, "K"}}}});
  }
  const auto hottest = counter.Hottest(resource, MeterDirection::kRead);
  ASSERT_EQ(hottest.size(), 1u);
  EXPECT_EQ(hottest[0].key.units, 60);
  EXPECT_EQ(hottest[0].calls, 120u);
  EXPECT_EQ(hottest[0].total_units, 100);
}

// All of a window, in an order that compares: its begin, its calls and units, and its hottest key.
using WindowRow = std::tuple<std::int64_t, std::uint64_t, double, std::string, double, double>;

// Adds up all windows of one resource and direction exactly.
class ExactWindows {
 public:
  void Add(std::int64_t begin, std::uint64_t calls, const WindowPart* part) {
    Window& window = windows_[begin];
    window.calls += calls;
    if (!part) return;
    window.total_units += part->total_units;
    for (const TopCounter::Counted& counted : part->keys) {
      auto& [units, error] = window.keys[counted.key];
      units += counted.units;
      error += counted.error;
    }
  }

  // The windows with enough calls come first, then those whose hottest key has the most units of a
  // call.
  std::vector<WindowRow> Hottest() const {
    std::vector<std::pair<std::tuple<bool, double>, WindowRow>> ranked;
    for (const auto& [begin, window] : windows_) {
      if (window.keys.empty()) continue;
      const auto key = std::ranges::max_element(window.keys, {},
                                                [](const auto& each) { return each.second.first; });
      ranked.push_back({{window.calls < WindowCounter::kTellingCalls,
                         -key->second.first / static_cast<double>(window.calls)},
                        {begin, window.calls, window.total_units, key->first, key->second.first,
                         key->second.second}});
    }
    std::ranges::sort(ranked);
    if (ranked.size() > WindowCounter::kHottest) ranked.resize(WindowCounter::kHottest);
    std::vector<WindowRow> rows;
    for (const auto& [rank, row] : ranked) rows.push_back(row);
    return rows;
  }

 private:
  struct Window {
    std::uint64_t calls = 0;
    double total_units = 0;
    std::map<std::string, std::pair<double, double>> keys;
  };
  std::map<std::int64_t, Window> windows_;
};

// Several threads add to a window while it is open, to three tables in both directions. Every
// second run has few windows with enough calls.
TEST(WindowCounter, AgreesWithAnExactCount) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    WindowCounter counter(60'000);
    std::map<std::pair<std::uint64_t, MeterDirection>, ExactWindows> exact;
    for (int minute = 0; minute < 60; ++minute) {
      for (int thread = 0; thread < 4; ++thread) {
        const auto late = static_cast<int>(below(WindowCounter::kOpenWindows));
        const std::int64_t begin = kBegin + std::max(0, minute - late) * std::int64_t{60'000};
        const std::uint64_t calls = 1 + below(seed % 2 == 0 ? 30 : 90);
        std::vector<WindowPart> parts;
        for (std::uint64_t table = 0; table < 3; ++table) {
          const auto direction = below(2) == 0 ? MeterDirection::kRead : MeterDirection::kWrite;
          WindowPart part{{table, 0}, direction, 1000.0 + below(1000), {}};
          for (unsigned key = below(5); key < 8; ++key) {
            const double units = 1 + below(100'000) / 1024.0;  // hardly any two sums are equal
            part.keys.push_back({key, units, units / 2, "key " + std::to_string(key)});
          }
          parts.push_back(part);
        }
        counter.Add(begin, calls, parts);
        for (std::uint64_t table = 0; table < 3; ++table) {
          for (const auto direction : {MeterDirection::kRead, MeterDirection::kWrite}) {
            const bool has_part = parts[table].direction == direction;
            exact[{table, direction}].Add(begin, calls, has_part ? &parts[table] : nullptr);
          }
        }
      }
    }
    for (const auto& [side, windows] : exact) {
      std::vector<WindowRow> rows;
      for (const HottestKey& hottest : counter.Hottest({side.first, 0}, side.second)) {
        rows.emplace_back(hottest.begin_epoch_ms, hottest.calls, hottest.total_units,
                          hottest.key.key, hottest.key.units, hottest.key.error);
      }
      EXPECT_EQ(rows, windows.Hottest()) << side.first;
    }
  }
}

PagesSoFar PagesOf(std::uint64_t pages) { return {{}, pages}; }

TEST(OpenPages, ACallIsContinuedOnceWhereItStopped) {
  OpenPages open;
  open.Put(7, {.sizes = {.read_units = 2}, .pages = 1});
  EXPECT_FALSE(open.Take(8));
  const auto taken = open.Take(7);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->sizes.read_units, 2);
  EXPECT_FALSE(open.Take(7));
}

TEST(OpenPages, OfSeveralCallsAtOnePlaceTheOldestIsContinuedFirst) {
  OpenPages open;
  for (std::uint64_t pages = 1; pages <= 3; ++pages) open.Put(7, PagesOf(pages));
  for (std::uint64_t pages = 1; pages <= 3; ++pages) EXPECT_EQ(open.Take(7)->pages, pages);
  EXPECT_FALSE(open.Take(7));
}

// Most calls that stop where others did, such as those for the latest item, are never continued.
TEST(OpenPages, FewCallsAreKeptForOnePlace) {
  OpenPages open;
  open.Put(1, PagesOf(1));
  for (std::size_t call = 0; call < 2 * OpenPages::kMax; ++call) open.Put(7, PagesOf(call));
  EXPECT_EQ(open.Take(7)->pages, 2 * OpenPages::kMax - OpenPages::kMaxAtPlace);
  EXPECT_TRUE(open.Take(1));
  EXPECT_EQ(open.forgotten(), 0u);
}

TEST(OpenPages, CallsOneAfterAnotherAreNeverForgotten) {
  OpenPages open;
  for (std::size_t call = 0; call < 3 * OpenPages::kMax; ++call) {
    open.Put(7, PagesOf(1));
    ASSERT_TRUE(open.Take(7)) << call;
  }
  EXPECT_EQ(open.forgotten(), 0u);
}

TEST(OpenPages, TheOldestCallIsForgottenWhenThereAreTooMany) {
  OpenPages open;
  for (std::uint64_t place = 0; place <= OpenPages::kMax; ++place) open.Put(place, PagesOf(1));
  EXPECT_EQ(open.forgotten(), 1u);
  EXPECT_FALSE(open.Take(0));
  EXPECT_TRUE(open.Take(1));
}

}  // namespace
}  // namespace hashrange
