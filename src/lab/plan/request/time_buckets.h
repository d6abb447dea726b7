// TimeBuckets: the periods that a range of times touches, for partition keys that have a part of a
// time: {started_at:month}. Pure functions; any thread.
//
//   last 7d, by month, on 2026-03-03   2026-02, 2026-03
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lab/language/lab_file.h"

namespace hashrange {

// The most requests that a range is split into.
inline constexpr std::size_t kMostTimeBuckets = 100;

struct TimeBuckets {
  LabTemplatePart::Form form = LabTemplatePart::Form::kMonth;  // kYear … kMinute
  bool counts_from_call = true;  // `from_ms` and `to_ms` count from the time of the call, else 1970
  std::int64_t from_ms = 0;      // the range, both ends included
  std::int64_t to_ms = 0;
  // Nothing before this time, since 1970, is asked for, although the range begins earlier.
  std::optional<std::int64_t> oldest_epoch_ms = {};
};

// Returns how many periods a call at that time asks, and how many at most at any time.
std::size_t CountBuckets(const TimeBuckets& buckets, std::int64_t now_epoch_ms);
std::size_t MostBuckets(const TimeBuckets& buckets);
// Returns a time within the period of that number, from 0, the earliest.
std::int64_t TimeInBucket(const TimeBuckets& buckets, std::int64_t now_epoch_ms,
                          std::size_t number);
// Returns how long a period is at most.
std::int64_t LongestBucketMs(LabTemplatePart::Form form);
// Returns how long a period is on average; 0 where the form is no part of a time.
double MeanBucketMs(LabTemplatePart::Form form);
// Returns whether the form is a part of a time, a period; else BucketName has nothing to say.
bool IsTimeForm(LabTemplatePart::Form form);
// "month"
const char* BucketName(LabTemplatePart::Form form);

}  // namespace hashrange
