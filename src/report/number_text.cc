#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>

namespace hashrange {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;

// std::to_chars knows no locale, unlike printf.
std::string FixedText(double value, int decimals) {
  std::array<char, 400> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return std::string(text.data(), end);
}

std::string WithoutTrailingZeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// Puts commas into the digits before the point.
std::string InGroups(std::string text) {
  std::size_t end = text.find('.');
  if (end == std::string::npos) end = text.size();
  const std::size_t begin = text.starts_with('-') ? 1 : 0;
  while (end > begin + 3) {
    end -= 3;
    text.insert(end, 1, ',');
  }
  return text;
}

// Returns how many decimals leave three digits that say something, at most 8.
int DecimalsForThreeDigits(double value) {
  constexpr int kMostDecimals = 8;
  if (value == 0 || std::abs(value) >= 100) return 0;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return std::min(2 - magnitude, kMostDecimals);
}

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

std::string NumberText(double value) {
  if (std::isinf(value)) return "no bound";
  return InGroups(WithoutTrailingZeros(FixedText(value, DecimalsForThreeDigits(value))));
}

std::string CountText(std::uint64_t count) { return InGroups(std::to_string(count)); }

std::string TickText(double value) {
  struct Scale {
    double from;
    std::string_view suffix;
  };
  for (const Scale& scale : {Scale{1e9, "G"}, Scale{1e6, "M"}, Scale{1e3, "k"}}) {
    if (std::abs(value) >= scale.from) return NumberText(value / scale.from).append(scale.suffix);
  }
  return NumberText(value);
}

std::string AmountText(double usd) {
  if (usd == 0) return "0";
  if (std::abs(usd) >= 1) return InGroups(FixedText(usd, 2));
  std::string text = FixedText(usd, DecimalsForThreeDigits(usd));
  while (text.size() > 4 && text.back() == '0') text.pop_back();
  return text;
}

std::string BytesText(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {" B", " KB", " MB", " GB", " TB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return NumberText(unit == 0 ? std::round(bytes) : bytes).append(kUnits[unit]);
}

std::string ShareText(double share) {
  if (share <= 0) return "0 %";
  if (share < 0.01) return "<1 %";
  if (share < 1 && share > 0.99) return ">99 %";
  return FixedText(share * 100, 0) + " %";
}

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

std::string ChangeText(double now, double before) {
  constexpr double kSame = 0.005;
  constexpr double kFactorFrom = 3;
  if (now == before) return "same";
  if (before == 0) return "new";
  if (now == 0) return "gone";
  const double change = now / before - 1;
  if (std::abs(change) < kSame) return "same";
  if (now / before >= kFactorFrom) return "x" + NumberText(now / before);
  return (change > 0 ? "+" : "") + FixedText(change * 100, 0) + " %";
}

}  // namespace hashrange
