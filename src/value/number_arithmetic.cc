#include <algorithm>
#include <array>
#include <compare>

#include "value/number.h"
#include "value/number_digits.h"

namespace hashrange {
namespace {

// The number of places that a sum can have: exponents of 100 from 63 (the carry) down to −84
// (the last digit of the smallest number).
constexpr int kPlaces = 63 + 84 + 1;

std::strong_ordering CompareMagnitudes(const Base100& a, const Base100& b) {
  if (a.exponent != b.exponent) return a.exponent <=> b.exponent;
  return std::lexicographical_compare_three_way(a.digits, a.digits + a.count, b.digits,
                                                b.digits + b.count);
}

// The error of a result that needs more than 38 significant digits: the service calls it an
// overflow (docs/service/02-types-and-sizes.md, section 3).
constexpr NumberError kTooPrecise = NumberError::kOverflow;

NumberError CheckLimits(const Base100& number) {
  const int exponent = number.decimal_exponent();
  if (exponent > kMaxExponent) return NumberError::kOverflow;
  if (exponent < kMinExponent) return NumberError::kUnderflow;
  if (number.significant_digits() > kMaxSignificantDigits) return kTooPrecise;
  return NumberError::kNone;
}

// Computes |a| + `sign` · |b| with the sign of a. When `sign` is −1, |a| ≥ |b|. Neither a, b nor
// the sum is zero.
NumberError Combine(const Base100& a, const Base100& b, int sign, Base100* sum) {
  const int top = std::max(a.exponent, b.exponent) + 1;
  const int bottom = std::min(a.exponent - a.count, b.exponent - b.count) + 1;
  const int size = top - bottom + 1;
  std::array<int, kPlaces> places;
  std::fill_n(places.begin(), size, 0);
  for (int i = 0; i < a.count; ++i) places[top - a.exponent + i] = a.digits[i];
  for (int i = 0; i < b.count; ++i) places[top - b.exponent + i] += sign * b.digits[i];
  for (int i = size - 1; i > 0; --i) {
    const int carry = places[i] < 0 ? -1 : places[i] >= 100 ? 1 : 0;
    places[i] -= 100 * carry;
    places[i - 1] += carry;
  }

  int first = 0;
  while (places[first] == 0) ++first;
  int last = size - 1;
  while (places[last] == 0) --last;
  sum->negative = a.negative;
  sum->exponent = top - first;
  sum->count = std::min(last - first + 1, kMaxBase100Digits);
  std::transform(places.begin() + first, places.begin() + first + sum->count, sum->digits,
                 [](int place) { return static_cast<std::uint8_t>(place); });
  const NumberError error = CheckLimits(*sum);
  // More than 20 digits of base 100 are at least 40 decimal ones.
  if (error == NumberError::kNone && last - first + 1 > kMaxBase100Digits) {
    return kTooPrecise;
  }
  return error;
}

NumberError AddUnpacked(const Base100& a, const Base100& b, Base100* sum) {
  if (b.count == 0) {
    *sum = a;
    return NumberError::kNone;
  }
  if (a.count == 0) {
    *sum = b;
    return NumberError::kNone;
  }
  if (a.negative == b.negative) return Combine(a, b, 1, sum);
  const std::strong_ordering order = CompareMagnitudes(a, b);
  if (order == 0) {
    *sum = Base100();
    return NumberError::kNone;
  }
  return order > 0 ? Combine(a, b, -1, sum) : Combine(b, a, -1, sum);
}

}  // namespace

NumberError Number::Add(const Number& a, const Number& b, Number* out) {
  Base100 sum;
  const NumberError error = AddUnpacked(UnpackNumber(a.stored()), UnpackNumber(b.stored()), &sum);
  if (error == NumberError::kNone) {
    out->size_ = static_cast<std::uint8_t>(PackNumber(sum, out->bytes_));
  }
  return error;
}

NumberError Number::Subtract(const Number& a, const Number& b, Number* out) {
  Base100 subtrahend = UnpackNumber(b.stored());
  subtrahend.negative = !subtrahend.negative;
  Base100 difference;
  const NumberError error = AddUnpacked(UnpackNumber(a.stored()), subtrahend, &difference);
  if (error == NumberError::kNone) {
    out->size_ = static_cast<std::uint8_t>(PackNumber(difference, out->bytes_));
  }
  return error;
}

}  // namespace hashrange
