#include "lab/language/data/placeholder_form.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/text/short_text.h"
#include "base/text/time_text.h"
#include "lab/language/data/value_text.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

constexpr std::uint64_t kMillisecondsFrom = 100'000'000'000;  // in seconds, this is the year 5138

// Returns how many digits the text has, from `at` on.
std::size_t DigitsAt(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

std::optional<std::uint64_t> NumberAt(const std::string& text, std::size_t at, std::size_t digits) {
  std::uint64_t number = 0;
  const char* const first = text.data() + at;
  const auto [end, error] = std::from_chars(first, first + digits, number);
  if (error != std::errc() || digits == 0) return {};
  return number;
}

void Pad(int width, std::size_t begin, std::string& text) {
  if (begin < text.size() && text[begin] == '-') ++begin;
  const std::size_t digits = DigitsAt(text, begin);
  const auto wanted = static_cast<std::size_t>(std::max(0, width));
  if (digits > 0 && digits < wanted) text.insert(begin, wanted - digits, '0');
}

void Descend(int width, std::size_t begin, std::string& text) {
  constexpr int kMostDigits = 19;  // of a number of 64 bits
  width = std::clamp(width, 0, kMostDigits);
  std::uint64_t greatest = 1;
  for (int i = 0; i < width; ++i) greatest *= 10;
  --greatest;
  const bool is_negative = begin < text.size() && text[begin] == '-';
  const std::size_t first = begin + (is_negative ? 1 : 0);
  const std::optional<std::uint64_t> number = NumberAt(text, first, DigitsAt(text, first));
  if (!number) return;
  text.resize(begin);
  // What is below zero is written whole, in more digits.
  const std::uint64_t rest = greatest - std::min(greatest, *number);
  AppendPadded(is_negative ? greatest + *number : rest, width, text);
}

// Returns the time that is a number of seconds or milliseconds since 1970, in milliseconds; nothing
// where the text is no such number.
std::optional<std::int64_t> NumberOfTime(std::size_t begin, const std::string& text) {
  const std::size_t digits = text.size() - begin;
  if (digits <= 4 || DigitsAt(text, begin) != digits) return std::nullopt;
  const std::uint64_t number = NumberAt(text, begin, digits).value_or(0);
  return static_cast<std::int64_t>(number < kMillisecondsFrom ? number * 1000 : number);
}

// Cuts a time after its first characters, and writes it in ISO 8601 before where it is a number.
void CutTime(std::size_t characters, std::size_t begin, std::string& text) {
  if (const auto epoch_ms = NumberOfTime(begin, text)) {
    text.resize(begin);
    AppendIsoTime(*epoch_ms, text);
  }
  if (text.size() > begin + characters) text.resize(begin + characters);
}

void CutCharacters(int characters, std::size_t begin, std::string& text) {
  std::size_t end = begin;
  for (; end < text.size(); ++end) {
    const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (starts_character && characters-- <= 0) break;
  }
  text.resize(end);
}

// Writes a time as the beginning of an ULID; what is no time stays as it is.
void WriteUlidTime(std::size_t begin, std::string& text) {
  std::optional<std::int64_t> epoch_ms = NumberOfTime(begin, text);
  if (!epoch_ms) epoch_ms = ParseInstant(std::string_view(text).substr(begin));
  if (!epoch_ms) return;
  text.resize(begin);
  AppendUlidTime(*epoch_ms, text);
}

char UpperCase(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

int ShardOf(std::string_view value, int shards) {
  return static_cast<int>(TextHash(value) % static_cast<std::uint64_t>(std::max(1, shards)));
}

void FormPlaceholder(const LabTemplatePart& part, std::size_t begin, std::string& text) {
  if (part.shards > 0) {
    const int shard = ShardOf(std::string_view(text).substr(begin), part.shards);
    text.resize(begin);
    AppendPadded(static_cast<std::uint64_t>(shard), 0, text);
  }
  switch (part.form) {
    case Form::kAsIs:
      return;
    case Form::kPadded:
      return Pad(part.width, begin, text);
    case Form::kDescend:
      return Descend(part.width, begin, text);
    case Form::kYear:
      return CutTime(4, begin, text);
    case Form::kMonth:
      return CutTime(7, begin, text);
    case Form::kDay:
      return CutTime(10, begin, text);
    case Form::kHour:
      return CutTime(13, begin, text);
    case Form::kMinute:
      return CutTime(16, begin, text);
    case Form::kLower:
      for (std::size_t i = begin; i < text.size(); ++i) text[i] = LowerCase(text[i]);
      return;
    case Form::kUpper:
      for (std::size_t i = begin; i < text.size(); ++i) text[i] = UpperCase(text[i]);
      return;
    case Form::kPrefix:
      return CutCharacters(part.width, begin, text);
    case Form::kUlidTime:
      return WriteUlidTime(begin, text);
  }
}

void AppendFormed(const LabTemplatePart& part, std::string_view value, std::string& out) {
  const std::size_t begin = out.size();
  out += value;
  FormPlaceholder(part, begin, out);
}

}  // namespace hashrange
