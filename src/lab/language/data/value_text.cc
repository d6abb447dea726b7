#include "lab/language/data/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace hashrange {
namespace {

constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

void WriteDigits(std::uint64_t number, char* first, char* last) {
  while (last != first) {
    *--last = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

// Appends the number ÷ 10^decimals.
void AppendScaled(std::int64_t number, int decimals, std::string& out) {
  if (number < 0) {
    out += '-';
    number = -number;
  }
  for (; decimals > 0 && number % 10 == 0; --decimals) number /= 10;
  std::array<char, 24> digits = {};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto count = static_cast<int>(end - digits.data());
  if (decimals == 0) {
    out.append(digits.data(), static_cast<std::size_t>(count));
    return;
  }
  const int whole = std::max(0, count - decimals);
  if (whole == 0) out += '0';
  out.append(digits.data(), static_cast<std::size_t>(whole));
  out += '.';
  out.append(static_cast<std::size_t>(decimals - (count - whole)), '0');
  out.append(digits.data() + whole, static_cast<std::size_t>(count - whole));
}

}  // namespace

void AppendIsoTime(std::int64_t epoch_ms, std::string& out) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(epoch_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const auto of_day = static_cast<std::uint64_t>((time - day).count());
  std::array<char, 24> text = {'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
                               '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
  char* const at = text.data();
  WriteDigits(static_cast<std::uint64_t>(std::max(0, static_cast<int>(date.year()))), at, at + 4);
  WriteDigits(static_cast<unsigned>(date.month()), at + 5, at + 7);
  WriteDigits(static_cast<unsigned>(date.day()), at + 8, at + 10);
  WriteDigits(of_day / 3'600'000, at + 11, at + 13);
  WriteDigits(of_day / 60'000 % 60, at + 14, at + 16);
  WriteDigits(of_day / 1'000 % 60, at + 17, at + 19);
  WriteDigits(of_day % 1'000, at + 20, at + 23);
  out.append(at, text.size());
}

void AppendPadded(std::uint64_t number, int width, std::string& out) {
  std::array<char, 24> digits = {};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto count = static_cast<std::size_t>(end - digits.data());
  const auto wanted = static_cast<std::size_t>(std::max(0, width));
  if (count < wanted) out.append(wanted - count, '0');
  out.append(digits.data(), count);
}

void AppendDecimal(double number, int decimals, std::string& out) {
  constexpr double kGreatest = 1e37;
  constexpr double kExact = 9e15;
  number = std::clamp(std::isnan(number) ? 0.0 : number, -kGreatest, kGreatest);
  const double scaled = number * std::pow(10.0, decimals);
  if (std::abs(scaled) < kExact) {
    AppendScaled(std::llround(scaled), decimals, out);
    return;
  }
  std::array<char, 400> text = {};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  std::string_view digits(text.data(), static_cast<std::size_t>(length));
  if (decimals > 0) {
    // DynamoDB stores 38 digits; a double has 17.
    constexpr std::size_t kMostDigits = 38;
    digits = digits.substr(0, kMostDigits);
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.remove_suffix(1);
  }
  out += digits;
}

void AppendUlid(std::int64_t epoch_ms, DrawSequence& draws, std::string& out) {
  constexpr std::size_t kTimeCharacters = 10;
  constexpr std::size_t kCharacters = 26;
  std::array<char, kCharacters> text = {};
  auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(0, epoch_ms));
  for (std::size_t i = kTimeCharacters; i-- > 0; time >>= 5) text[i] = kCrockford[time & 31];
  std::uint64_t bits = 0;
  for (std::size_t i = kTimeCharacters; i < kCharacters; ++i, bits >>= 5) {
    // 64 bits are enough for 12 characters.
    if ((i - kTimeCharacters) % 12 == 0) bits = draws.Next();
    text[i] = kCrockford[bits & 31];
  }
  out.append(text.data(), text.size());
}

void AppendUuid(DrawSequence& draws, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  std::uint64_t bits = 0;
  int left = 0;
  for (const char c : kForm) {
    if (c != 'x' && c != 'y') {
      out += c;
      continue;
    }
    if (left == 0) {
      bits = draws.Next();
      left = 16;
    }
    out += c == 'x' ? kHex[bits & 15] : kHex[8 | (bits & 3)];
    bits >>= 4;
    --left;
  }
}

std::uint64_t TextHash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return MixedHash({hash});
}

}  // namespace hashrange
