#include "measure/figure_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace hashrange {
namespace {

constexpr int kMostDecimals = 9;

// Returns the number with exactly so many decimals: "1234.50".
std::string FixedText(double value, int decimals) {
  char text[400];  // the greatest double has 309 digits
  const char* const end =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, decimals).ptr;
  return std::string(text, static_cast<std::size_t>(end - text));
}

std::string WithCommas(std::string number) {
  const std::size_t point = number.find('.');
  std::size_t at = point == std::string::npos ? number.size() : point;
  while (at > 3) {
    at -= 3;
    number.insert(at, 1, ',');
  }
  return number;
}

std::string WithoutZerosAtTheEnd(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  while (number.back() == '0') number.pop_back();
  if (number.back() == '.') number.pop_back();
  return number;
}

}  // namespace

std::string FigureText(double value) {
  if (std::isinf(value)) return "no bound";
  if (value <= 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(value)));
  const int decimals = std::min(std::max(2 - magnitude, 0), kMostDecimals);
  return WithCommas(WithoutZerosAtTheEnd(FixedText(value, decimals)));
}

std::string UsdText(double usd) {
  if (usd < 1) return "US$ " + FigureText(usd);
  return "US$ " + WithCommas(FixedText(usd, 2));
}

std::string PercentText(double share) { return FigureText(share * 100) + " %"; }

}  // namespace hashrange
