#include "value/number.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "base/library_gaps.h"

namespace hashrange {
namespace {

constexpr int kMaxSignificantDigits = 38;
// The limits of the decimal exponent of the first significant digit.
constexpr int kMaxExponent = 125;
constexpr int kMinExponent = -130;
// 38 decimal digits take 19 digits of base 100, or 20 when the first decimal digit takes one alone.
constexpr int kMaxBase100Digits = 20;

// The digits and the exponent of a Number, in base 100. The first and the last digit are not 0; the
// number zero has no digits.
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

constexpr std::uint8_t kZero = 0x80;
constexpr std::uint8_t kNegativeEnd = 0x66;

// A number as it was written: digits, point, exponent.
struct Literal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::int64_t exponent = 0;

  std::size_t digits() const { return whole.size() + fraction.size(); }
  int digit(std::size_t i) const {
    return (i < whole.size() ? whole[i] : fraction[i - whole.size()]) - '0';
  }
};

bool TakeSign(std::string_view* text) {
  if (text->empty() || (text->front() != '+' && text->front() != '-')) return false;
  const bool negative = text->front() == '-';
  text->remove_prefix(1);
  return negative;
}

std::string_view TakeDigits(std::string_view* text) {
  std::size_t n = 0;
  while (n < text->size() && (*text)[n] >= '0' && (*text)[n] <= '9') ++n;
  const std::string_view digits = text->substr(0, n);
  text->remove_prefix(n);
  return digits;
}

// Returns false when there are no digits or the value does not fit into 64 bits.
bool ReadExponent(std::string_view* text, std::int64_t* exponent) {
  const bool negative = TakeSign(text);
  const std::string_view digits = TakeDigits(text);
  if (digits.empty()) return false;
  const std::uint64_t limit =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (limit - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *exponent = static_cast<std::int64_t>(negative ? 0 - value : value);
  return true;
}

bool ReadLiteral(std::string_view text, Literal* literal) {
  literal->negative = TakeSign(&text);
  literal->whole = TakeDigits(&text);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    literal->fraction = TakeDigits(&text);
  }
  if (literal->digits() == 0) return false;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!ReadExponent(&text, &literal->exponent)) return false;
  }
  return text.empty();
}

NumberError CheckExponent(std::int64_t exponent) {
  if (exponent > kMaxExponent) return NumberError::kOverflow;
  if (exponent < kMinExponent) return NumberError::kUnderflow;
  return NumberError::kNone;
}

// Returns the digits `first` to `last` of the literal in base 100. `exponent` is the decimal
// exponent of the digit `first`.
Base100 ToBase100(const Literal& literal, std::size_t first, std::size_t last, int exponent) {
  Base100 number;
  number.negative = literal.negative;
  number.exponent = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);  // rounded down
  std::size_t i = first;
  if (exponent % 2 == 0) {
    number.digits[number.count++] = static_cast<std::uint8_t>(literal.digit(i++));
  }
  for (; i <= last; i += 2) {
    const int low = i < last ? literal.digit(i + 1) : 0;
    number.digits[number.count++] = static_cast<std::uint8_t>(literal.digit(i) * 10 + low);
  }
  return number;
}

Base100 UnpackNumber(std::string_view stored) {
  Base100 number;
  const auto lead = static_cast<std::uint8_t>(stored[0]);
  if (lead == kZero && stored.size() == 1) return number;
  number.negative = lead < kZero;
  number.exponent = number.negative ? 0x3e - lead : lead - 0xc1;
  number.count = static_cast<int>(stored.size()) - (number.negative ? 2 : 1);
  for (int i = 0; i < number.count; ++i) {
    const auto byte = static_cast<std::uint8_t>(stored[i + 1]);
    number.digits[i] = static_cast<std::uint8_t>(number.negative ? 0x65 - byte : byte - 1);
  }
  return number;
}

// Writes the stored form, at most Number::kMaxStoredBytes bytes; returns its size.
int PackNumber(const Base100& number, char* out) {
  if (number.count == 0) {
    *out = static_cast<char>(kZero);
    return 1;
  }
  char* at = out;
  *at++ = static_cast<char>(number.negative ? 0x3e - number.exponent : 0xc1 + number.exponent);
  for (int i = 0; i < number.count; ++i) {
    *at++ = static_cast<char>(number.negative ? 0x65 - number.digits[i] : number.digits[i] + 1);
  }
  if (number.negative) *at++ = static_cast<char>(kNegativeEnd);
  return static_cast<int>(at - out);
}

}  // namespace

Number::Number() : size_(1) { bytes_[0] = static_cast<char>(kZero); }

NumberError Number::Parse(std::string_view text, Number* out) {
  Literal literal;
  if (!ReadLiteral(text, &literal)) return NumberError::kNotANumber;

  const std::size_t digits = literal.digits();
  std::size_t first = 0;
  while (first < digits && literal.digit(first) == 0) ++first;
  if (first == digits) {
    // For a zero the service checks the exponent as it was written.
    const NumberError error = CheckExponent(literal.exponent);
    if (error == NumberError::kNone) *out = Number();
    return error;
  }
  std::size_t last = digits - 1;
  while (literal.digit(last) == 0) --last;

  // The limit keeps the sum far from the ends of 64 bits. The other summands are positions in a
  // text, which are always far smaller.
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const std::int64_t exponent = std::clamp(literal.exponent, -kFar, kFar) +
                                static_cast<std::int64_t>(literal.whole.size()) - 1 -
                                static_cast<std::int64_t>(first);
  if (const NumberError error = CheckExponent(exponent); error != NumberError::kNone) return error;
  if (last - first + 1 > kMaxSignificantDigits) return NumberError::kTooManyDigits;
  out->size_ = static_cast<std::uint8_t>(
      PackNumber(ToBase100(literal, first, last, static_cast<int>(exponent)), out->bytes_));
  return NumberError::kNone;
}

Number Number::FromStored(std::string_view stored) {
  assert(!stored.empty() && stored.size() <= kMaxStoredBytes);
  Number number;
  number.size_ = static_cast<std::uint8_t>(stored.size());
  std::memcpy(number.bytes_, stored.data(), stored.size());
  return number;
}

Number Number::FromInteger(std::int64_t value) {
  Base100 number;
  number.negative = value < 0;
  std::uint64_t rest =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  std::uint8_t reversed[10];
  int count = 0;
  for (; rest != 0; rest /= 100) reversed[count++] = static_cast<std::uint8_t>(rest % 100);
  int zeros = 0;
  while (zeros < count && reversed[zeros] == 0) ++zeros;
  number.exponent = count - 1;
  number.count = count - zeros;
  for (int i = 0; i < number.count; ++i) number.digits[i] = reversed[count - 1 - i];
  Number result;
  result.size_ = static_cast<std::uint8_t>(PackNumber(number, result.bytes_));
  return result;
}

std::string Number::ToText() const {
  char text[kMaxTextBytes];
  return std::string(text, static_cast<std::size_t>(WriteNumberText(stored(), text)));
}

namespace {

char* PutTwoDigits(int value, char* out) {
  static constexpr auto kPairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
      pairs[2 * i] = static_cast<char>('0' + i / 10);
      pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
  }();
  std::memcpy(out, kPairs.data() + 2 * value, 2);
  return out + 2;
}

// Writes a positive integer and returns the length of its text; returns 0 for every other number.
// Most numbers are integers of a few digits. The text of a positive integer is its base-100
// digits one after the other, without a zero in front.
int WriteNaturalText(std::string_view stored, char* out) {
  const int pairs_of_zeros =
      static_cast<std::uint8_t>(stored[0]) - 0xc1 + 2 - static_cast<int>(stored.size());
  if (stored.size() < 2 || pairs_of_zeros < 0) return 0;
  const int first = static_cast<std::uint8_t>(stored[1]) - 1;
  char* at = out;
  if (first < 10) {
    *at++ = static_cast<char>('0' + first);
  } else {
    at = PutTwoDigits(first, at);
  }
  for (const char digit : stored.substr(2)) {
    at = PutTwoDigits(static_cast<std::uint8_t>(digit) - 1, at);
  }
  for (int i = 0; i < pairs_of_zeros; ++i) at = PutTwoDigits(0, at);
  return static_cast<int>(at - out);
}

}  // namespace

int WriteNumberText(std::string_view stored, char* out) {
  if (const int natural = WriteNaturalText(stored, out); natural > 0) return natural;
  const Base100 number = UnpackNumber(stored);
  if (number.count == 0) {
    *out = '0';
    return 1;
  }
  char digits[2 * kMaxBase100Digits];
  for (int i = 0; i < number.count; ++i) {
    PutTwoDigits(number.digits[i], digits + 2 * i);
  }
  const char* significant = digits + (digits[0] == '0' ? 1 : 0);
  const int count = number.significant_digits();
  const int whole = number.decimal_exponent() + 1;  // digits before the point

  char* at = out;
  if (number.negative) *at++ = '-';
  if (whole <= 0) {
    *at++ = '0';
    *at++ = '.';
    at = std::fill_n(at, -whole, '0');
    at = std::copy_n(significant, count, at);
  } else if (whole >= count) {
    at = std::copy_n(significant, count, at);
    at = std::fill_n(at, whole - count, '0');
  } else {
    at = std::copy_n(significant, whole, at);
    *at++ = '.';
    at = std::copy_n(significant + whole, count - whole, at);
  }
  return static_cast<int>(at - out);
}

int NumberSizeBytes(std::string_view stored) {
  const Base100 number = UnpackNumber(stored);
  if (number.count == 0) return 1;
  const int count = number.significant_digits();
  const int whole = number.decimal_exponent() + 1;
  int integer_digits = count;
  int fraction_digits = 0;
  if (whole <= 0) {
    integer_digits = 0;
    fraction_digits = count;
  } else if (whole < count) {
    integer_digits = whole;
    fraction_digits = count - whole;
  }
  return 1 + (integer_digits + 1) / 2 + (fraction_digits + 1) / 2 + (number.negative ? 1 : 0);
}

std::string NumberErrorMessage(NumberError error, std::string_view text) {
  switch (error) {
    case NumberError::kNotANumber:
      return "The parameter cannot be converted to a numeric value: " + std::string(text);
    case NumberError::kOverflow:
      return "Number overflow. Attempting to store a number with magnitude larger than supported "
             "range";
    case NumberError::kUnderflow:
      return "Number underflow. Attempting to store a number with magnitude smaller than supported "
             "range";
    case NumberError::kTooManyDigits:
      return "Attempting to store more than 38 significant digits in a Number";
    case NumberError::kNone:
      break;
  }
  return {};
}

namespace {

// The number of places that a sum can have: exponents of 100 from 63 (the carry) down to −84
// (the last digit of the smallest number).
constexpr int kPlaces = 63 + 84 + 1;

std::strong_ordering CompareMagnitudes(const Base100& a, const Base100& b) {
  if (a.exponent != b.exponent) return a.exponent <=> b.exponent;
  return CompareRanges(a.digits, a.digits + a.count, b.digits, b.digits + b.count);
}

// The error of a result that needs more than 38 significant digits: the service calls it an
// overflow (docs/service/02-types-and-sizes.md, section 3).
constexpr NumberError kTooPrecise = NumberError::kOverflow;

NumberError CheckLimits(const Base100& number) {
  const NumberError error = CheckExponent(number.decimal_exponent());
  if (error != NumberError::kNone) return error;
  return number.significant_digits() > kMaxSignificantDigits ? kTooPrecise : NumberError::kNone;
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

bool IsStoredNumber(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > Number::kMaxStoredBytes) return false;
  const auto lead = static_cast<std::uint8_t>(bytes.front());
  if (bytes.size() == 1) return lead == kZero;
  if (lead < kZero && static_cast<std::uint8_t>(bytes.back()) != kNegativeEnd) return false;
  const std::size_t digits = bytes.size() - (lead < kZero ? 2 : 1);
  if (digits == 0 || digits > kMaxBase100Digits) return false;
  const Base100 number = UnpackNumber(bytes);
  const std::span<const std::uint8_t> unpacked(number.digits, digits);
  if (std::ranges::any_of(unpacked, [](std::uint8_t digit) { return digit > 99; })) return false;
  if (unpacked.front() == 0 || unpacked.back() == 0) return false;
  return CheckLimits(number) == NumberError::kNone;
}

}  // namespace hashrange
