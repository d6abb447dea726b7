#include "measure/key_token.h"

#include <algorithm>
#include <array>

namespace hashrange {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Crockford's alphabet has no I, L, O and U.
bool IsUlidCharacter(char c) {
  const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  const char upper = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  return IsDigit(c) || (is_letter && upper != 'I' && upper != 'L' && upper != 'O' && upper != 'U');
}

// Returns the length of the longest beginning of `text` that follows `pattern`, in which 'd' stands
// for a digit and any other character for itself.
std::size_t MatchPattern(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  while (at < text.size() && at < pattern.size()) {
    const bool fits = pattern[at] == 'd' ? IsDigit(text[at]) : text[at] == pattern[at];
    if (!fits) break;
    ++at;
  }
  return at;
}

std::size_t CountDigits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

// Returns the length of the fraction and the zone behind a time of the day.
std::size_t LengthOfFractionAndZone(std::string_view text) {
  std::size_t at = 0;
  if (text.size() > 1 && text[0] == '.') at = 1 + CountDigits(text.substr(1));
  const std::string_view zone = text.substr(at);
  if (zone.starts_with('Z')) return at + 1;
  if (zone.starts_with('+') || zone.starts_with('-')) {
    if (const std::size_t length = MatchPattern(zone.substr(1), "dd:dd"); length == 5) {
      return at + 1 + length;
    }
  }
  return at;
}

// Returns the length of the date, with or without a time, at the beginning of `text`; 0 when there
// is none. A date may be cut off, as in begins_with(SK, "ORDER#2026-0"), behind its first dash.
std::size_t LengthOfDate(std::string_view text) {
  constexpr std::string_view kDay = "dddd-dd-dd";
  constexpr std::string_view kMinute = "Tdd:dd";
  constexpr std::string_view kSecond = ":dd";
  const std::size_t day = MatchPattern(text, kDay);
  if (day <= 4) return 0;
  if (day < kDay.size()) return day;
  std::size_t at = day;
  const std::string_view time = text.substr(at);
  const bool has_space = time.starts_with(' ');
  const std::size_t minute = MatchPattern(time, has_space ? " dd:dd" : kMinute);
  if (minute < kMinute.size()) return at + (minute + 1 == time.size() + 1 ? minute : 0);
  at += minute;
  if (MatchPattern(text.substr(at), kSecond) == kSecond.size()) at += kSecond.size();
  return at + LengthOfFractionAndZone(text.substr(at));
}

// Returns the kind of a token that is not a date and has other characters than digits.
KeyTokenKind KindOfLetters(std::string_view body) {
  constexpr std::size_t kUlidLength = 26;
  constexpr std::size_t kUuidLength = 36;
  if (body.size() == kUlidLength && body[0] >= '0' && body[0] <= '7' &&
      std::ranges::all_of(body, IsUlidCharacter)) {
    return KeyTokenKind::kUlid;
  }
  if (body.size() == kUuidLength) {
    constexpr std::array<std::size_t, 4> kDashes = {8, 13, 18, 23};
    bool is_uuid = true;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const bool is_dash = std::ranges::find(kDashes, i) != kDashes.end();
      is_uuid = is_uuid && (is_dash ? body[i] == '-' : IsHexDigit(body[i]));
    }
    if (is_uuid) return KeyTokenKind::kUuid;
  }
  return KeyTokenKind::kText;
}

}  // namespace

std::string_view KeyTokenKindName(KeyTokenKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"text", "digits", "date",  "ulid",
                                                      "uuid", "number", "binary"};
  return kNames[static_cast<std::size_t>(kind)];
}

KeyToken FirstToken(std::string_view text, const KeySeparators& separators) {
  constexpr std::size_t kYear = 4;
  const bool may_be_date = IsDigit(text[0]) && text.size() > kYear && text[kYear] == '-';
  if (may_be_date) {
    const std::size_t length = LengthOfDate(text);
    if (length > 0 && length == text.size()) return {text, 0, KeyTokenKind::kDate};
    if (length > 0 && separators.Has(text[length])) {
      return {text.substr(0, length + 1), text[length], KeyTokenKind::kDate};
    }
  }
  std::size_t end = 0;
  bool has_digits_only = true;
  while (end < text.size() && !separators.Has(text[end])) {
    has_digits_only = has_digits_only && IsDigit(text[end]);
    ++end;
  }
  const KeyTokenKind kind =
      has_digits_only && end > 0 ? KeyTokenKind::kDigits : KindOfLetters(text.substr(0, end));
  if (end == text.size()) return {text, 0, kind};
  return {text.substr(0, end + 1), text[end], kind};
}

}  // namespace hashrange
