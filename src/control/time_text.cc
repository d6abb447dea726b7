#include "control/time_text.h"

#include <chrono>
#include <cstdio>

namespace hashrange {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;

constexpr std::size_t kMostDigits = 15;  // of a number whose milliseconds fit into 64 bits

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads a text from its front.
class Front {
 public:
  explicit Front(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A number of exactly `digits`.
  std::optional<int> Number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int number = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!IsDigit(rest_[i])) return std::nullopt;
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return number;
  }
  // All digits that follow, one or more.
  std::string_view Digits() {
    std::size_t count = 0;
    while (count < rest_.size() && IsDigit(rest_[count])) ++count;
    const std::string_view digits = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return digits;
  }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> WholeNumber(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::int64_t number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

// The milliseconds of a fraction of a second, ".123456"; 0 where there is no point.
std::optional<std::int64_t> TakeFraction(Front* text) {
  if (!text->Take('.')) return 0;
  const std::string_view digits = text->Digits();
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::int64_t ms = 0;
  for (std::size_t i = 0; i < 3; ++i) ms = ms * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return ms;
}

// Of midnight, UTC.
std::optional<std::int64_t> TakeDate(Front* text) {
  const auto year = text->Number(4);
  if (!year || !text->Take('-')) return std::nullopt;
  const auto month = text->Number(2);
  if (!month || !text->Take('-')) return std::nullopt;
  const auto day = text->Number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * kDayMs;
}

// "12:00", in milliseconds.
std::optional<std::int64_t> TakeHourAndMinute(Front* text) {
  const auto hour = text->Number(2);
  if (!hour || *hour > 23 || !text->Take(':')) return std::nullopt;
  const auto minute = text->Number(2);
  if (!minute || *minute > 59) return std::nullopt;
  return *hour * kHourMs + *minute * kMinuteMs;
}

std::optional<std::int64_t> TakeTimeOfDay(Front* text) {
  const auto minutes = TakeHourAndMinute(text);
  if (!minutes || !text->Take(':')) return minutes;
  const auto second = text->Number(2);
  if (!second || *second > 59) return std::nullopt;
  const auto fraction = TakeFraction(text);
  if (!fraction) return std::nullopt;
  return *minutes + *second * kSecondMs + *fraction;
}

// How far east of UTC, in milliseconds.
std::optional<std::int64_t> TakeZone(Front* text) {
  if (text->Take('Z')) return 0;
  const bool is_east = text->Take('+');
  if (!is_east && !text->Take('-')) return std::nullopt;
  const auto distance = TakeHourAndMinute(text);
  if (!distance) return std::nullopt;
  return is_east ? *distance : -*distance;
}

std::optional<std::int64_t> ParseSeconds(std::string_view text) {
  Front front(text);
  const auto seconds = WholeNumber(front.Digits());
  if (!seconds) return std::nullopt;
  const auto fraction = TakeFraction(&front);
  if (!fraction || !front.AtEnd()) return std::nullopt;
  return *seconds * kSecondMs + *fraction;
}

std::optional<std::int64_t> ParseCalendarTime(std::string_view text) {
  Front front(text);
  const auto date = TakeDate(&front);
  if (!date || front.AtEnd()) return date;
  if (!front.Take('T')) return std::nullopt;
  const auto time = TakeTimeOfDay(&front);
  if (!time) return std::nullopt;
  const auto zone = TakeZone(&front);
  if (!zone || !front.AtEnd()) return std::nullopt;
  return *date + *time - *zone;
}

}  // namespace

std::optional<std::int64_t> ParseInstant(std::string_view text) {
  const auto seconds = ParseSeconds(text);
  const auto epoch_ms = seconds ? seconds : ParseCalendarTime(text);
  if (!epoch_ms || *epoch_ms < 0 || *epoch_ms > kLastEpochMs) return std::nullopt;
  return epoch_ms;
}

std::string InstantText(std::int64_t epoch_ms) {
  using std::chrono::sys_days;
  const std::chrono::year_month_day date{sys_days(std::chrono::days(epoch_ms / kDayMs))};
  const std::int64_t ms = epoch_ms % kDayMs;
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(ms / kHourMs),
                static_cast<int>(ms / kMinuteMs % 60), static_cast<int>(ms / kSecondMs % 60),
                static_cast<int>(ms % kSecondMs));
  return text;
}

}  // namespace hashrange
