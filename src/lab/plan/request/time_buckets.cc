#include "lab/plan/request/time_buckets.h"

#include <algorithm>
#include <chrono>

#include "base/text/time_text.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

// A period of the calendar.
struct BucketRow {
  Form form;
  const char* name;
  std::int64_t shortest_ms;
  std::int64_t longest_ms;
  int months;  // 0: all periods are equally long
};
constexpr BucketRow kBuckets[] = {
    {Form::kYear, "year", 365 * kDayMs, 366 * kDayMs, 12},
    {Form::kMonth, "month", 28 * kDayMs, 31 * kDayMs, 1},
    {Form::kDay, "day", kDayMs, kDayMs, 0},
    {Form::kHour, "hour", kHourMs, kHourMs, 0},
    {Form::kMinute, "minute", kMinuteMs, kMinuteMs, 0},
};

// Returns the row of a form; null: it is no part of a time.
const BucketRow* FindBucket(Form form) {
  const auto* const row = std::ranges::find(kBuckets, form, &BucketRow::form);
  return row == std::end(kBuckets) ? nullptr : row;
}

// Returns the number of the period that has the time, from 1970 on.
std::int64_t BucketAt(const BucketRow& row, std::int64_t epoch_ms) {
  if (row.months == 0) return epoch_ms / row.longest_ms;
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(epoch_ms)};
  const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(time)};
  const int month = (static_cast<int>(date.year()) - 1970) * 12 +
                    static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  return month / row.months;
}

// Returns when the period begins.
std::int64_t StartOf(const BucketRow& row, std::int64_t number) {
  if (row.months == 0) return number * row.longest_ms;
  const auto month = static_cast<int>(number) * row.months;
  const std::chrono::year_month_day first{std::chrono::year(1970 + month / 12),
                                          std::chrono::month(static_cast<unsigned>(month % 12 + 1)),
                                          std::chrono::day(1)};
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::sys_days(first).time_since_epoch())
      .count();
}

std::int64_t EpochMs(const TimeBuckets& buckets, std::int64_t ms, std::int64_t now_epoch_ms) {
  const std::int64_t epoch_ms = buckets.counts_from_call ? now_epoch_ms + ms : ms;
  return std::clamp<std::int64_t>(std::max(epoch_ms, buckets.oldest_epoch_ms.value_or(0)), 0,
                                  kLastEpochMs);
}

}  // namespace

std::size_t CountBuckets(const TimeBuckets& buckets, std::int64_t now_epoch_ms) {
  const BucketRow& row = *FindBucket(buckets.form);
  const std::int64_t first = BucketAt(row, EpochMs(buckets, buckets.from_ms, now_epoch_ms));
  const std::int64_t last = BucketAt(row, EpochMs(buckets, buckets.to_ms, now_epoch_ms));
  return static_cast<std::size_t>(std::max<std::int64_t>(0, last - first) + 1);
}

std::size_t MostBuckets(const TimeBuckets& buckets) {
  if (!buckets.counts_from_call) return CountBuckets(buckets, 0);
  // A call that comes later than this one does not ask for the oldest any more.
  if (buckets.oldest_epoch_ms) {
    return CountBuckets(buckets, *buckets.oldest_epoch_ms - buckets.from_ms);
  }
  const std::int64_t shortest = FindBucket(buckets.form)->shortest_ms;
  // The range may begin at the end of a period, and end at the beginning of another one.
  const std::int64_t length = buckets.to_ms - buckets.from_ms;
  return static_cast<std::size_t>((length + shortest - 1) / shortest + 1);
}

std::int64_t TimeInBucket(const TimeBuckets& buckets, std::int64_t now_epoch_ms,
                          std::size_t number) {
  const BucketRow& row = *FindBucket(buckets.form);
  const std::int64_t first = BucketAt(row, EpochMs(buckets, buckets.from_ms, now_epoch_ms));
  return StartOf(row, first + static_cast<std::int64_t>(number));
}

double MeanBucketMs(LabTemplatePart::Form form) {
  constexpr double kMeanMonthMs = 365.25 / 12 * static_cast<double>(kDayMs);
  const BucketRow* const row = FindBucket(form);
  if (row == nullptr) return 0;
  return row->months > 0 ? row->months * kMeanMonthMs : static_cast<double>(row->longest_ms);
}

std::int64_t LongestBucketMs(Form form) { return FindBucket(form)->longest_ms; }

bool IsTimeForm(Form form) { return FindBucket(form) != nullptr; }

const char* BucketName(Form form) { return FindBucket(form)->name; }

}  // namespace hashrange
