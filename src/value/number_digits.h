// Base100: the digits and the exponent of a Number, which parsing, printing and arithmetic
// share. Used within value/ only.
#pragma once

#include <cstdint>
#include <string_view>

#include "value/number.h"

namespace hashrange {

inline constexpr int kMaxSignificantDigits = 38;
// The limits of the decimal exponent of the first significant digit.
inline constexpr int kMaxExponent = 125;
inline constexpr int kMinExponent = -130;
// 38 decimal digits take 19 digits of base 100, or 20 when the first decimal digit takes one alone.
inline constexpr int kMaxBase100Digits = 20;

// Digits of base 100; the first and the last are not 0. The number zero has no digits.
struct Base100 {
  bool negative = false;
  int exponent = 0;  // the power of 100 of the first digit
  int count = 0;
  std::uint8_t digits[kMaxBase100Digits];

  // The decimal exponent of the first significant digit.
  int decimal_exponent() const { return 2 * exponent + (digits[0] >= 10 ? 1 : 0); }
  int significant_digits() const {
    return 2 * count - (digits[0] < 10 ? 1 : 0) - (digits[count - 1] % 10 == 0 ? 1 : 0);
  }
};

Base100 UnpackNumber(std::string_view stored);
// Writes the stored form, at most Number::kMaxStoredBytes bytes; returns its size.
int PackNumber(const Base100& number, char* out);

}  // namespace hashrange
