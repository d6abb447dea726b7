#include "measure/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/portable_math.h"

namespace hashrange {
namespace {

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

// Returns how many decimals leave three digits that say something, at most 9.
int DecimalsForThreeDigits(double value) {
  constexpr int kMostDecimals = 9;
  // Half a unit is what a read of one item takes.
  const bool has_half = std::abs(value) < 1000 && std::fmod(std::abs(value), 1) == 0.5;
  if (value == 0 || std::abs(value) >= 100) return has_half ? 1 : 0;
  const int magnitude = static_cast<int>(std::floor(PortableLog10(std::abs(value))));
  return std::min(2 - magnitude, kMostDecimals);
}

}  // namespace

std::string NumberText(double value) {
  if (std::isinf(value)) return "no bound";
  return InGroups(WithoutTrailingZeros(FixedText(value, DecimalsForThreeDigits(value))));
}

std::string CountText(std::uint64_t count) { return InGroups(std::to_string(count)); }

std::string CountedText(double count, std::string_view noun) {
  return CountedText(count, noun, std::string(noun) + "s");
}

std::string CountedText(double count, std::string_view one, std::string_view several) {
  return NumberText(count).append(" ").append(count == 1 ? one : several);
}

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

std::string UsdText(double usd) { return "US$ " + AmountText(usd); }

std::string BytesText(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {" B", " KB", " MB", " GB", " TB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return NumberText(unit == 0 ? std::round(bytes) : bytes).append(kUnits[unit]);
}

std::string PercentText(double share) { return NumberText(share * 100) + " %"; }

std::string ShareText(double share) {
  if (share <= 0) return "0 %";
  if (share < 0.01) return "<1 %";
  if (share < 1 && share > 0.99) return ">99 %";
  return FixedText(share * 100, 0) + " %";
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
