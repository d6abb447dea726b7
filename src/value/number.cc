#include "value/number.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <limits>

#include "value/number_digits.h"

namespace hashrange {
namespace {

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

}  // namespace

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

int Number::WriteText(char* out) const { return WriteNumberText(stored(), out); }

std::string Number::ToText() const {
  char text[kMaxTextBytes];
  return std::string(text, static_cast<std::size_t>(WriteText(text)));
}

int Number::SizeBytes() const { return NumberSizeBytes(stored()); }

bool Number::IsNegative() const { return static_cast<std::uint8_t>(bytes_[0]) < kZero; }

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
    digits[2 * i] = static_cast<char>('0' + number.digits[i] / 10);
    digits[2 * i + 1] = static_cast<char>('0' + number.digits[i] % 10);
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

}  // namespace hashrange
