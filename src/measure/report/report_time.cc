#include "measure/report/report_time.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "base/text/time_text.h"

namespace hashrange {
namespace {

// Lengths of time that people count in.
constexpr std::int64_t kRoundStepsMs[] = {
    1000,     2000,     5000,      10000,     30000,     60000,      120000,
    300000,   600000,   1800000,   3600000,   7200000,   10800000,   21600000,
    43200000, 86400000, 172800000, 345600000, 604800000, 1209600000, 2419200000};

std::string TwoDigits(std::int64_t value) {
  return {static_cast<char>('0' + value / 10 % 10), static_cast<char>('0' + value % 10)};
}

struct TimeOfDay {
  std::string date;  // "2026-11-21"
  std::string hour;
  std::string minute;
  std::string second;
};

TimeOfDay SplitUtc(std::int64_t epoch_ms) {
  const std::int64_t day = (epoch_ms >= 0 ? epoch_ms : epoch_ms - kDayMs + 1) / kDayMs;
  const std::int64_t within = epoch_ms - day * kDayMs;
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(day)}}};
  TimeOfDay split;
  split.date = std::to_string(static_cast<int>(date.year())) + "-" +
               TwoDigits(static_cast<unsigned>(date.month())) + "-" +
               TwoDigits(static_cast<unsigned>(date.day()));
  split.hour = TwoDigits(within / kHourMs);
  split.minute = TwoDigits(within / kMinuteMs % 60);
  split.second = TwoDigits(within / kSecondMs % 60);
  return split;
}

}  // namespace

std::string LengthOfTimeText(std::int64_t ms) {
  struct Unit {
    std::int64_t ms;
    std::string_view name;
  };
  constexpr std::array<Unit, 4> kUnits = {
      {{kDayMs, " d"}, {kHourMs, " h"}, {kMinuteMs, " min"}, {kSecondMs, " s"}}};
  for (std::size_t at = 0; at < kUnits.size(); ++at) {
    if (ms < kUnits[at].ms) continue;
    std::string text = std::to_string(ms / kUnits[at].ms).append(kUnits[at].name);
    if (at + 1 == kUnits.size()) return text;
    const std::int64_t rest = ms % kUnits[at].ms / kUnits[at + 1].ms;
    if (rest > 0) text.append(" " + std::to_string(rest)).append(kUnits[at + 1].name);
    return text;
  }
  return std::to_string(ms) + " ms";
}

std::string UtcText(std::int64_t epoch_ms) {
  const TimeOfDay split = SplitUtc(epoch_ms);
  return split.date + " " + split.hour + ":" + split.minute + ":" + split.second;
}

std::string ClockTickText(std::int64_t epoch_ms, std::int64_t span_ms) {
  const TimeOfDay split = SplitUtc(epoch_ms);
  const std::string day = split.date.substr(split.date.find('-', 1) + 1);
  if (span_ms > 10 * kDayMs) return day;
  if (span_ms > 2 * kDayMs) return day + " " + split.hour + "h";
  if (span_ms > 10 * kMinuteMs) return split.hour + ":" + split.minute;
  return split.hour + ":" + split.minute + ":" + split.second;
}

std::size_t TimeColumns::ColumnOf(std::int64_t epoch_ms) const {
  const std::int64_t column = (epoch_ms - begin_epoch_ms) / column_ms;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(count) - 1));
}

std::vector<PlotTick> TimeColumns::Ticks() const {
  constexpr std::int64_t kMostTicks = 5;
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
