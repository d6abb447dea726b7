// Number: an exact decimal of up to 38 significant digits, 1E-130 to 9.99…E+125.
//
// It is kept in its stored form, which is also used to sort and to hash: base 100, two
// decimal digits in each byte, the most significant first, no trailing zeros.
//
//   zero      80
//   positive  C1+e  d+1  d+1 …               e = exponent of 100, −65 … 62
//   negative  3E−e  65−d 65−d …  66 (hex)
//
//   1 → C1 02    100 → C2 02    0.5 → C0 33    −1 → 3E 64 66
//
// Comparing stored forms as unsigned bytes compares the numbers, and equal numbers
// have equal forms. A value type of 23 bytes; only ToText allocates memory.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

enum class NumberError : std::uint8_t {
  kNone,
  kNotANumber,
  kOverflow,
  kUnderflow,
  kTooManyDigits,
};

class Number {
 public:
  // The longest stored form: exponent, 20 digits of base 100, terminator.
  static constexpr int kMaxStoredBytes = 22;
  // Room for the longest text: "-0.", 129 zeros and 38 digits.
  static constexpr int kMaxTextBytes = 176;

  Number();  // zero

  // Parses the service's grammar for numbers (sign, digits, point, exponent up to 64 bits).
  // On an error `*out` is unchanged. Errors: all of NumberError.
  static NumberError Parse(std::string_view text, Number* out);
  static Number FromStored(std::string_view stored);
  static Number FromInteger(std::int64_t value);

  std::string_view stored() const { return {bytes_, size_}; }

  // Returns the number as a plain decimal ("0.5", "100"): no exponent, no needless zeros, no "-0".
  std::string ToText() const;

  // Exact arithmetic; the result has the limits of every number. `out` may be an operand.
  // Errors: kOverflow  the result is too large or needs more than 38 significant digits
  //         kUnderflow
  static NumberError Add(const Number& a, const Number& b, Number* out);
  static NumberError Subtract(const Number& a, const Number& b, Number* out);

  friend bool operator==(const Number& a, const Number& b) { return a.stored() == b.stored(); }
  friend auto operator<=>(const Number& a, const Number& b) { return a.stored() <=> b.stored(); }

 private:
  std::uint8_t size_;
  char bytes_[kMaxStoredBytes];
};

// Writes the text of a stored number, as Number::ToText, and returns how many characters these are:
// at most Number::kMaxTextBytes.
int WriteNumberText(std::string_view stored, char* out);

// Returns how many bytes a stored number adds to an item's size: 1 for zero. Otherwise 1, half of
// the significant digits on each side of the point, each half rounded up, and 1 for a minus sign
// (docs/service/02-types-and-sizes.md, section 7).
int NumberSizeBytes(std::string_view stored);

// Returns whether the bytes are the stored form of a number that a client can have sent.
bool IsStoredNumber(std::string_view bytes);

// Returns the service's sentence for an error; `text` is the number as it was sent.
std::string NumberErrorMessage(NumberError error, std::string_view text);

}  // namespace hashrange
