#include "measure/report/time_columns.h"

#include <algorithm>

#include "measure/report/report_time.h"

namespace hashrange {
namespace {

constexpr std::int64_t kMostTicks = 5;

// Lengths of time that people count in.
constexpr std::int64_t kRoundStepsMs[] = {
    1000,     2000,     5000,      10000,     30000,     60000,      120000,
    300000,   600000,   1800000,   3600000,   7200000,   10800000,   21600000,
    43200000, 86400000, 172800000, 345600000, 604800000, 1209600000, 2419200000};

}  // namespace

std::size_t TimeColumns::ColumnOf(std::int64_t epoch_ms) const {
  const std::int64_t column = (epoch_ms - begin_epoch_ms) / column_ms;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(count) - 1));
}

std::vector<PlotTick> TimeColumns::Ticks() const {
  const std::int64_t span = column_ms * static_cast<std::int64_t>(count);
  if (span <= 0) return {};
  std::int64_t step = kRoundStepsMs[0];
  for (const std::int64_t candidate : kRoundStepsMs) {
    step = candidate;
    if (span / candidate <= kMostTicks) break;
  }
  while (span / step > kMostTicks) step *= 2;
  std::vector<PlotTick> ticks;
  for (std::int64_t at = (begin_epoch_ms + step - 1) / step * step; at <= begin_epoch_ms + span;
       at += step) {
    ticks.push_back({static_cast<double>(at - begin_epoch_ms) / static_cast<double>(span),
                     ClockTickText(at, span)});
  }
  return ticks;
}

TimeColumns TimeColumnsOf(const TimeMeasure& time, std::size_t most) {
  if (time.buckets.empty() || time.bucket_ms <= 0) return {};
  TimeColumns columns{.begin_epoch_ms = time.buckets.front().begin_epoch_ms};
  const std::int64_t length = time.buckets.back().begin_epoch_ms - columns.begin_epoch_ms;
  const std::int64_t buckets = std::max<std::int64_t>(length, 0) / time.bucket_ms + 1;
  const auto most_columns = std::max<std::int64_t>(static_cast<std::int64_t>(most), 1);
  const std::int64_t a_column = (buckets + most_columns - 1) / most_columns;
  columns.column_ms = a_column * time.bucket_ms;
  columns.count = static_cast<std::size_t>((buckets + a_column - 1) / a_column);
  return columns;
}

}  // namespace hashrange
