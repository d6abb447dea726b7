#include "base/text/time_text.h"

#include <chrono>
#include <cstddef>
#include <cstdio>

#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxDigits = 15;  // of a number whose milliseconds fit into 64 bits

// Reads a text from front to back.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool TakeChar(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Reads a number of exactly `digits` digits.
  std::optional<int> TakeNumber(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int number = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!IsDigit(rest_[i])) return std::nullopt;
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return number;
  }
  // Reads all digits that follow; empty when no digit follows.
  std::string_view TakeDigits() {
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
  if (digits.empty() || digits.size() > kMaxDigits) return std::nullopt;
  std::int64_t number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

// Reads a fraction of a second, ".123456", in milliseconds; 0 where there is no point.
std::optional<std::int64_t> TakeFraction(TextScanner* text) {
  if (!text->TakeChar('.')) return 0;
  const std::string_view digits = text->TakeDigits();
  if (digits.empty() || digits.size() > kMaxDigits) return std::nullopt;
  std::int64_t ms = 0;
  for (std::size_t i = 0; i < 3; ++i) ms = ms * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return ms;
}

// Reads a date, as the milliseconds of midnight, UTC.
std::optional<std::int64_t> TakeDate(TextScanner* text) {
  const auto year = text->TakeNumber(4);
  if (!year || !text->TakeChar('-')) return std::nullopt;
  const auto month = text->TakeNumber(2);
  if (!month || !text->TakeChar('-')) return std::nullopt;
  const auto day = text->TakeNumber(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * kDayMs;
}

// Reads "12:00", in milliseconds.
std::optional<std::int64_t> TakeHourAndMinute(TextScanner* text) {
  const auto hour = text->TakeNumber(2);
  if (!hour || *hour > 23 || !text->TakeChar(':')) return std::nullopt;
  const auto minute = text->TakeNumber(2);
  if (!minute || *minute > 59) return std::nullopt;
  return *hour * kHourMs + *minute * kMinuteMs;
}

std::optional<std::int64_t> TakeTimeOfDay(TextScanner* text) {
  const auto minutes = TakeHourAndMinute(text);
  if (!minutes || !text->TakeChar(':')) return minutes;
  const auto second = text->TakeNumber(2);
  if (!second || *second > 59) return std::nullopt;
  const auto fraction = TakeFraction(text);
  if (!fraction) return std::nullopt;
  return *minutes + *second * kSecondMs + *fraction;
}

// Reads a time zone, as its distance east of UTC in milliseconds.
std::optional<std::int64_t> TakeZone(TextScanner* text) {
  if (text->TakeChar('Z')) return 0;
  const bool is_east = text->TakeChar('+');
  if (!is_east && !text->TakeChar('-')) return std::nullopt;
  const auto distance = TakeHourAndMinute(text);
  if (!distance) return std::nullopt;
  return is_east ? *distance : -*distance;
}

std::optional<std::int64_t> ParseSeconds(std::string_view text) {
  TextScanner scanner(text);
  const auto seconds = WholeNumber(scanner.TakeDigits());
  if (!seconds) return std::nullopt;
  const auto fraction = TakeFraction(&scanner);
  if (!fraction || !scanner.AtEnd()) return std::nullopt;
  return *seconds * kSecondMs + *fraction;
}

std::optional<std::int64_t> ParseCalendarTime(std::string_view text) {
  TextScanner scanner(text);
  const auto date = TakeDate(&scanner);
  if (!date || scanner.AtEnd()) return date;
  if (!scanner.TakeChar('T')) return std::nullopt;
  const auto time = TakeTimeOfDay(&scanner);
  if (!time) return std::nullopt;
  const auto zone = TakeZone(&scanner);
  if (!zone || !scanner.AtEnd()) return std::nullopt;
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

namespace {

struct Unit {
  std::string_view name;
  std::int64_t ms;
};
constexpr Unit kUnits[] = {
    {"ms", 1}, {"s", kSecondMs}, {"m", kMinuteMs}, {"h", kHourMs}, {"d", kDayMs}};

}  // namespace

std::optional<std::int64_t> ParseDuration(std::string_view text) {
  TextScanner scanner(text);
  const auto number = WholeNumber(scanner.TakeDigits());
  if (!number) return std::nullopt;
  if (scanner.AtEnd() && *number == 0) return 0;
  for (const Unit& unit : kUnits) {
    if (unit.name != scanner.rest()) continue;
    if (*number > kLongestDurationMs / unit.ms) return std::nullopt;
    return *number * unit.ms;
  }
  return std::nullopt;
}

}  // namespace hashrange
