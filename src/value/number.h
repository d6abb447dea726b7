// Number: an exact decimal of up to 38 significant digits, 1E-130 to 9.99…E+125.
//
// It is held in its stored form, which is also the form that sorts and hashes: base
// 100, two decimal digits a byte, most significant first, no trailing zeros.
//
//   zero      80
//   positive  C1+e  d+1  d+1 …               e = exponent of 100, −65 … 62
//   negative  3E−e  65−d 65−d …  66 (hex)
//
//   1 → C1 02    100 → C2 02    0.5 → C0 33    −1 → 3E 64 66
//
// Comparing stored forms as unsigned bytes compares the numbers, and equal numbers
// have equal forms. A value type of 24 bytes; nothing allocates.
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
  // Longest stored form: exponent, 20 digits of base 100, terminator.
  static constexpr int kMaxStoredBytes = 22;
  // Room for the longest text: "-0.", 129 zeros and 38 digits.
  static constexpr int kMaxTextBytes = 176;

  Number();  // zero

  // Reads the service's grammar (sign, digits, point, exponent up to 64 bits).
  // On an error `*out` is unchanged.
  static NumberError Parse(std::string_view text, Number* out);
  static Number FromStored(std::string_view stored);
  static Number FromInteger(std::int64_t value);

  std::string_view stored() const { return {bytes_, size_}; }

  // Plain decimal: no exponent, no leading or trailing zeros, no "-0". Writes at most
  // kMaxTextBytes characters and returns how many.
  int WriteText(char* out) const;
  std::string ToText() const;

  // What the number counts in an item's size (reference: 1 + half the digits of each side).
  int SizeBytes() const;

  bool IsNegative() const;

  // Exact; the result obeys the same limits. Errors: kOverflow, kUnderflow, kTooManyDigits.
  static NumberError Add(const Number& a, const Number& b, Number* out);
  static NumberError Subtract(const Number& a, const Number& b, Number* out);

  friend bool operator==(const Number& a, const Number& b) { return a.stored() == b.stored(); }
  friend auto operator<=>(const Number& a, const Number& b) { return a.stored() <=> b.stored(); }

 private:
  std::uint8_t size_;
  char bytes_[kMaxStoredBytes];
};

// WriteText and SizeBytes of a stored form, without making a Number of it.
int WriteNumberText(std::string_view stored, char* out);
int NumberSizeBytes(std::string_view stored);

// The service's sentence for an error; `text` is the number as sent.
std::string NumberErrorMessage(NumberError error, std::string_view text);

}  // namespace hashrange
