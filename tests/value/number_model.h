// A model of the service's numbers as exact integers: every value is multiplied by 10^170. Numbers
// of 38 digits at 1E-130 end at the 167th place, so all numbers and their sums are whole.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "support/chance.h"

namespace hashrange {

inline constexpr int kModelPlaces = 170;

// ±digits · 10^exponent; the first and the last digit are not 0.
struct ModelNumber {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

using test::Below;

// Returns any number that the service accepts but zero. Half of the numbers are near 1, so that
// the digits of two numbers overlap.
inline ModelNumber RandomModel(Random& random) {
  ModelNumber model;
  model.negative = Below(random, 2) == 0;
  const int count = Below(random, 3) == 0 ? 38 : 1 + Below(random, 38);
  for (int i = 0; i < count; ++i) {
    const bool at_end = i == 0 || i == count - 1;
    // Many digits are nines and zeros, for long carries.
    const int kind = Below(random, 4);
    const int digit = kind == 0 ? 9 : kind == 1 ? 0 : Below(random, 10);
    model.digits += static_cast<char>('0' + (at_end && digit == 0 ? 1 : digit));
  }
  const int leading = Below(random, 2) == 0 ? Below(random, 41) - 20 : Below(random, 256) - 130;
  model.exponent = leading - (count - 1);
  return model;
}

inline boost::multiprecision::cpp_int Scaled(const ModelNumber& model) {
  using boost::multiprecision::cpp_int;
  // The digits have no leading zeros, which would make the text an octal number.
  const cpp_int digits(model.digits);
  const cpp_int scaled =
      digits *
      boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(model.exponent + kModelPlaces));
  return model.negative ? cpp_int(-scaled) : scaled;
}

// Returns the text that the service prints for the value; `scaled` is the value times 10^170.
inline std::string PlainText(const boost::multiprecision::cpp_int& scaled) {
  std::string digits = boost::multiprecision::cpp_int(boost::multiprecision::abs(scaled)).str();
  constexpr auto kPlaces = static_cast<std::size_t>(kModelPlaces);
  if (digits.size() <= kPlaces) digits.insert(0, kPlaces + 1 - digits.size(), '0');
  std::string text =
      digits.substr(0, digits.size() - kPlaces) + "." + digits.substr(digits.size() - kPlaces);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return scaled < 0 ? "-" + text : text;
}

// Returns the size of a number by its plain text (docs/service/02-types-and-sizes.md, section 7).
inline int ModelSizeBytes(const std::string& plain) {
  if (plain == "0") return 1;
  const bool negative = plain[0] == '-';
  const std::string text = plain.substr(negative ? 1 : 0);
  const std::size_t point = text.find('.');
  std::string whole = text.substr(0, point);
  std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
  if (fraction.empty()) whole.erase(whole.find_last_not_of('0') + 1);
  if (whole == "0") {
    whole.clear();
    fraction.erase(0, fraction.find_first_not_of('0'));
  }
  return static_cast<int>(1 + (whole.size() + 1) / 2 + (fraction.size() + 1) / 2) +
         (negative ? 1 : 0);
}

// Returns one of the ways to write the number.
inline std::string Spell(const ModelNumber& model, Random& random) {
  if (Below(random, 3) == 0) {
    const std::string plain = PlainText(Scaled(model));
    const std::string zeros(static_cast<std::size_t>(Below(random, 4)), '0');
    return plain.find('.') == std::string::npos ? plain : plain + zeros;
  }
  std::string digits = std::string(static_cast<std::size_t>(Below(random, 3)), '0') + model.digits +
                       std::string(static_cast<std::size_t>(Below(random, 3)), '0');
  const auto trailing = digits.size() - 1 - digits.find_last_not_of('0');
  const std::size_t point = Below(random, digits.size() + 1);
  const int exponent =
      model.exponent - static_cast<int>(trailing) + static_cast<int>(digits.size() - point);
  digits.insert(point, ".");
  const char* const sign = model.negative ? "-" : Below(random, 2) == 0 ? "+" : "";
  return sign + digits + (Below(random, 2) == 0 ? "e" : "E") +
         (exponent > 0 && Below(random, 2) == 0 ? "+" : "") + std::to_string(exponent);
}

}  // namespace hashrange
