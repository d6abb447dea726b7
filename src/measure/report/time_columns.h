// The time of a measurement, cut into columns for plots. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/measurement.h"
#include "measure/report/svg_plot.h"

namespace hashrange {

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
