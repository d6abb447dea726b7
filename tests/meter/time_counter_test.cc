#include "meter/time_counter.h"

#include <gtest/gtest.h>

#include "meter/open_pages.h"
#include "meter/window_counter.h"

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

TEST(OpenPages, LinksAPageToTheOneBefore) {
  OpenPages pages;
  EXPECT_FALSE(pages.Take(1));
  pages.Put(1, {.sizes = {.read_units = 2}, .pages = 1});
  const auto taken = pages.Take(1);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->sizes.read_units, 2);
  EXPECT_FALSE(pages.Take(1));
}

TEST(OpenPages, ForgetsTheOldestWhenThereAreTooMany) {
  OpenPages pages;
  for (std::uint64_t place = 0; place < OpenPages::kMax + 3; ++place) pages.Put(place, {});
  EXPECT_EQ(pages.forgotten(), 3u);
  EXPECT_FALSE(pages.Take(0));
  EXPECT_TRUE(pages.Take(5));
}

}  // namespace
}  // namespace hashrange
