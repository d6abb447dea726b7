// How reports show time: as texts, the same whatever the locale, or as columns with ticks. Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/measurement.h"
#include "measure/report/svg_plot.h"

namespace hashrange {

// Returns a length of time in its two greatest units: "4 min 10 s", "2 d 3 h", "250 ms".
std::string LengthOfTimeText(std::int64_t ms);

// Returns a point in time, UTC: "2026-11-21 10:04:05".
std::string UtcText(std::int64_t epoch_ms);

// Returns a point in time as the axis of a time of `span_ms` shows it: "10:04:05", "10:04",
// "11-21 10h", "11-21".
std::string ClockTickText(std::int64_t epoch_ms, std::int64_t span_ms);

// Columns of one width, each of one or several time buckets.
struct TimeColumns {
  std::int64_t begin_epoch_ms = 0;
  std::int64_t column_ms = 1;
  std::size_t count = 0;

  // Returns the column of a point in time; the nearest one if it is outside.
  std::size_t ColumnOf(std::int64_t epoch_ms) const;
  // Returns ticks at the begins of some columns, at most six.
  std::vector<PlotTick> Ticks() const;
};

// Returns at most `most` columns that hold all buckets; none without buckets.
TimeColumns TimeColumnsOf(const TimeMeasure& time, std::size_t most);

}  // namespace hashrange
