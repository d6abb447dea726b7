#include "measure/report/report_time.h"

#include <array>
#include <chrono>
#include <string_view>

namespace hashrange {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;

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

}  // namespace hashrange
