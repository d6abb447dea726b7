#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "value/number.h"
#include "value/number_model.h"

namespace hashrange {
namespace {

using boost::multiprecision::cpp_int;

Number Parsed(std::string_view text) {
  Number number;
  EXPECT_EQ(Number::Parse(text, &number), NumberError::kNone) << text;
  return number;
}

// Returns what the service answers for a result of this value.
NumberError ModelError(const cpp_int& scaled) {
  if (scaled == 0) return NumberError::kNone;
  std::string digits = cpp_int(boost::multiprecision::abs(scaled)).str();
  const int exponent = static_cast<int>(digits.size()) - 1 - kModelPlaces;
  if (exponent > 125) return NumberError::kOverflow;
  if (exponent < -130) return NumberError::kUnderflow;
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.size() > 38 ? NumberError::kOverflow : NumberError::kNone;
}

void ExpectResult(NumberError error, const Number& result, const cpp_int& expected,
                  const std::string& what) {
  ASSERT_EQ(error, ModelError(expected)) << what;
  if (error == NumberError::kNone) {
    ASSERT_EQ(result.ToText(), PlainText(expected)) << what;
  }
}

TEST(NumberArithmetic, AgreesWithExactIntegers) {
  Random random(21);
  int sums = 0;
  for (int i = 0; i < 30'000; ++i) {
    const ModelNumber x = RandomModel(random);
    const ModelNumber y = RandomModel(random);
    const Number a = Parsed(Spell(x, random));
    const Number b = Parsed(Spell(y, random));
    const std::string what = a.ToText() + " and " + b.ToText();
    Number sum;
    const NumberError error = Number::Add(a, b, &sum);
    if (error == NumberError::kNone) ++sums;
    ExpectResult(error, sum, Scaled(x) + Scaled(y), what);
    Number difference;
    const NumberError difference_error = Number::Subtract(a, b, &difference);
    ExpectResult(difference_error, difference, Scaled(x) - Scaled(y), what);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(sums, 2'000) << "too few sums within 38 digits to mean anything";
}

// The numbers differ in one digit at most; the other digits cancel.
TEST(NumberArithmetic, SubtractsNumbersThatDifferInOneDigit) {
  Random random(22);
  for (int i = 0; i < 10'000; ++i) {
    const ModelNumber x = RandomModel(random);
    ModelNumber y = x;
    const auto at = static_cast<std::size_t>(Below(random, static_cast<int>(y.digits.size())));
    y.digits[at] = static_cast<char>('1' + Below(random, 9));
    Number difference;
    const NumberError error =
        Number::Subtract(Parsed(Spell(x, random)), Parsed(Spell(y, random)), &difference);
    ExpectResult(error, difference, Scaled(x) - Scaled(y), x.digits + " and " + y.digits);
    if (HasFatalFailure()) return;
  }
}

TEST(NumberArithmetic, ObeysTheLimits) {
  const std::string nines(38, '9');
  const struct {
    std::string a, b;
    NumberError error;
    std::string sum;
  } kRows[] = {
      {"0", "0", NumberError::kNone, "0"},
      {"0", "-7.5", NumberError::kNone, "-7.5"},
      {"1", "-1", NumberError::kNone, "0"},
      {"0.1", "0.2", NumberError::kNone, "0.3"},
      {nines, "1", NumberError::kNone, "1" + std::string(38, '0')},
      {nines, "2", NumberError::kOverflow, ""},
      {nines, "0.1", NumberError::kOverflow, ""},
      {"1e37", "1", NumberError::kNone, "1" + std::string(36, '0') + "1"},
      {"1e38", "1", NumberError::kOverflow, ""},
      {"1e125", "1e-130", NumberError::kOverflow, ""},
      {"9e125", "1e125", NumberError::kOverflow, ""},
      {"-9e125", "-1e125", NumberError::kOverflow, ""},
      {nines + "e88", "1e88", NumberError::kOverflow, ""},
      {"1.5e-130", "-1e-130", NumberError::kUnderflow, ""},
      {"-1.5e-130", "1e-130", NumberError::kUnderflow, ""},
      {"9e125", "-9e125", NumberError::kNone, "0"},
  };
  for (const auto& row : kRows) {
    Number sum = Number::FromInteger(-3);
    EXPECT_EQ(Number::Add(Parsed(row.a), Parsed(row.b), &sum), row.error) << row.a << ' ' << row.b;
    EXPECT_EQ(sum.ToText(), row.error == NumberError::kNone ? row.sum : "-3");
  }
}

TEST(NumberArithmetic, ResultMayBeAnOperand) {
  Number n = Parsed("1.5");
  ASSERT_EQ(Number::Add(n, n, &n), NumberError::kNone);
  EXPECT_EQ(n.ToText(), "3");
  ASSERT_EQ(Number::Subtract(n, n, &n), NumberError::kNone);
  EXPECT_EQ(n, Number());
}

}  // namespace
}  // namespace hashrange
