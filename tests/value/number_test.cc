#include "value/number.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "value/number_model.h"

namespace hashrange {
namespace {

using std::string_view_literals::operator""sv;

std::string Hex(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    if (!text.empty()) text += ' ';
    text += kHex[static_cast<unsigned char>(c) >> 4];
    text += kHex[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

Number ParsedNumber(std::string_view text) {
  Number number;
  EXPECT_EQ(Number::Parse(text, &number), NumberError::kNone) << text;
  return number;
}

std::string Zeros(std::size_t count) { return std::string(count, '0'); }
std::string Nines(std::size_t count) { return std::string(count, '9'); }

// The rows are of docs/service/02-types-and-sizes.md, section 3: accepted text → stored text.
TEST(Number, PrintsPlainDecimals) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"+5", "5"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1.e5", "100000"},
      {"+1e-2", "0.01"},
      {"00042", "42"},
      {"-0", "0"},
      {"1.5E+3", "1500"},
      {"1.50", "1.5"},
      {"0", "0"},
      {"-0.0e-5", "0"},
      {"1E125", "1" + Zeros(125)},
      {"-9.9e125", "-99" + Zeros(124)},
      {"1e-130", "0." + Zeros(129) + "1"},
      {Nines(38), Nines(38)},
      {"1" + Zeros(100), "1" + Zeros(100)},
      {Nines(38) + Zeros(88), Nines(38) + Zeros(88)},
      {Zeros(500) + "1." + Zeros(500), "1"},
      {"0." + Zeros(200) + "12e201", "1.2"},
      {"1" + Zeros(200) + "e-200", "1"},
      {"0e125", "0"},
      {"0e-130", "0"},
      {"1e0000000000000000000000000000000000002", "100"},
      {"100.5", "100.5"},
      {"-0.00001", "-0.00001"},
      {"0." + Zeros(129) + "1234567890123456789012345678901234567" + "8",
       "0." + Zeros(129) + "12345678901234567890123456789012345678"},
  };
  for (const auto& [text, stored] : rows) EXPECT_EQ(ParsedNumber(text).ToText(), stored) << text;
}

TEST(Number, LongestTextFits) {
  const std::string text = "-0." + Zeros(129) + "12345678901234567890123456789012345678";
  EXPECT_EQ(ParsedNumber(text).ToText(), text);
  EXPECT_LE(text.size(), static_cast<std::size_t>(Number::kMaxTextBytes));
}

TEST(Number, RefusesWhatTheServiceRefuses) {
  const struct {
    NumberError error;
    std::vector<std::string> texts;
  } rows[] = {
      {NumberError::kNotANumber, {"",        " 5",    "5 ",      "1 5",      "+",
                                  "-",       "++5",   "+-5",     "1+2",      "1.2.3",
                                  "+e2",     "e2",    ".",       ".e1",      "1e",
                                  "1e+",     "1e++1", "1.2e3.4", "0x5",      "0x10",
                                  "1_000",   "abc",   "NaN",     "Infinity", std::string("1\0", 2),
                                  "\xd9\xa1"}},  // the last is a digit of another script
      {NumberError::kNotANumber,
       {"1e9223372036854775808", "1e-9223372036854775809", "0e9223372036854775808",
        "1e99999999999999999999999999999"}},
      {NumberError::kOverflow,
       {"1e126", "-1e126", "0e126", "-0.0e126", "0.1e127", "1" + Zeros(126)}},
      {NumberError::kOverflow,
       {"1e2147483647", "1e2147483648", "1e99999999999", "-1e99999999999", "1e9223372036854775807",
        "123e9223372036854775807"}},
      {NumberError::kUnderflow, {"1e-131", "0e-131", "0." + Zeros(130) + "1"}},
      {NumberError::kUnderflow,
       {"1e-2147483648", "1e-99999999999", "1e-9223372036854775808", "0.001e-9223372036854775808"}},
      {NumberError::kTooManyDigits,
       {"1" + Zeros(37) + "1", "1." + Zeros(37) + "1", "-0.1" + Zeros(37) + "1", Nines(39),
        Nines(40)}},
      // The range is checked before the number of digits.
      {NumberError::kOverflow, {Nines(39) + "e126"}},
      {NumberError::kUnderflow, {Nines(39) + "e-200"}},
  };
  for (const auto& row : rows) {
    for (const std::string& text : row.texts) {
      Number number = Number::FromInteger(7);
      EXPECT_EQ(Number::Parse(text, &number), row.error) << text;
      EXPECT_EQ(number, Number::FromInteger(7)) << text;
    }
  }
}

TEST(Number, IsStoredInBase100) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"0", "80"},
      {"-0", "80"},
      {"1", "C1 02"},
      {"100", "C2 02"},
      {"10", "C1 0B"},
      {"0.5", "C0 33"},
      {"0.05", "C0 06"},
      {"-1", "3E 64 66"},
      {"-100.01", "3D 64 65 64 66"},
      {"123", "C2 02 18"},
      {"1e125", "FF 0B"},
      {"1e-130", "80 02"},
      {"-1e125", "00 5B 66"},
      {"-1e-130", "7F 64 66"},
      {"-99e80", "16 02 66"},
      {"-1e-79", "66 5B 66"},
  };
  for (const auto& [text, stored] : rows) {
    EXPECT_EQ(Hex(ParsedNumber(text).stored()), stored) << text;
    EXPECT_EQ(Number::FromStored(ParsedNumber(text).stored()).ToText(),
              ParsedNumber(text).ToText());
  }
  EXPECT_EQ(ParsedNumber("1" + std::string(36, '2') + "1").stored().size(), 20u);
  EXPECT_EQ(ParsedNumber("-1" + std::string(36, '2') + "1e1").stored().size(),
            static_cast<std::size_t>(Number::kMaxStoredBytes));
}

// docs/service/02-types-and-sizes.md, section 7.
TEST(Number, CountsTheServicesBytes) {
  const std::vector<std::pair<std::string, int>> rows = {
      {"0", 1},     {"-0", 1},     {"1", 2},        {"12", 2},        {"15", 2},  {"123", 3},
      {"1234", 3},  {"123456", 4}, {Nines(38), 20}, {"0042", 2},      {"100", 2}, {"1010", 3},
      {"1E125", 2}, {"1E-100", 2}, {"0.15", 2},     {"0.0000001", 2}, {"1.5", 3}, {"1.2", 3},
      {"1.200", 3}, {"1.234", 4},  {"3.14159", 5},  {"100.5", 4},     {"-42", 3}, {"-0.001", 3},
      {"-1.5", 4},  {"0.012", 2},  {"1000.001", 5}};
  for (const auto& [text, size_bytes] : rows) {
    EXPECT_EQ(NumberSizeBytes(ParsedNumber(text).stored()), size_bytes) << text;
  }
}

TEST(Number, IsMadeFromEveryInteger) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{100}, std::int64_t{-100},
        std::int64_t{1'000'000}, std::int64_t{-90'909}, kMax, kMin, kMax - 7, kMin + 8}) {
    const Number number = Number::FromInteger(value);
    EXPECT_EQ(number.ToText(), std::to_string(value));
    EXPECT_EQ(number, ParsedNumber(std::to_string(value)));
  }
  EXPECT_EQ(Number(), Number::FromInteger(0));
}

TEST(Number, ErrorsHaveTheServicesSentences) {
  EXPECT_EQ(NumberErrorMessage(NumberError::kNotANumber, "1 5"),
            "The parameter cannot be converted to a numeric value: 1 5");
  EXPECT_EQ(NumberErrorMessage(NumberError::kNotANumber, ""),
            "The parameter cannot be converted to a numeric value: ");
  EXPECT_EQ(
      NumberErrorMessage(NumberError::kOverflow, "1e126"),
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
  EXPECT_EQ(
      NumberErrorMessage(NumberError::kUnderflow, "1e-131"),
      "Number underflow. Attempting to store a number with magnitude smaller than supported range");
  EXPECT_EQ(NumberErrorMessage(NumberError::kTooManyDigits, Nines(39)),
            "Attempting to store more than 38 significant digits in a Number");
  EXPECT_EQ(NumberErrorMessage(NumberError::kNone, "1"), "");
}

// Compares text, stored form and size of numbers that are written in many ways with exact integers.
TEST(Number, RoundTripsWhateverTheSpelling) {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const ModelNumber model = RandomModel(random);
    const std::string plain = PlainText(Scaled(model));
    const std::string text = Spell(model, random);
    Number number;
    ASSERT_EQ(Number::Parse(text, &number), NumberError::kNone) << text;
    ASSERT_EQ(number.ToText(), plain) << text;
    ASSERT_EQ(ParsedNumber(plain), number) << text;
    ASSERT_EQ(Number::FromStored(number.stored()), number) << text;
    ASSERT_EQ(NumberSizeBytes(number.stored()), ModelSizeBytes(plain)) << text;
  }
}

TEST(Number, StoredFormsHaveTheOrderOfTheNumbers) {
  Random random(12);
  std::vector<std::pair<boost::multiprecision::cpp_int, Number>> numbers;
  for (int i = 0; i < 600; ++i) {
    const ModelNumber model = RandomModel(random);
    numbers.emplace_back(Scaled(model), ParsedNumber(Spell(model, random)));
    // The neighbour differs in the last digit only.
    ModelNumber neighbour = model;
    neighbour.digits.back() = neighbour.digits.back() == '9' ? '1' : '9';
    numbers.emplace_back(Scaled(neighbour), ParsedNumber(Spell(neighbour, random)));
  }
  numbers.emplace_back(0, Number());
  for (const auto& [a_value, a] : numbers) {
    for (const auto& [b_value, b] : numbers) {
      ASSERT_EQ(a < b, a_value < b_value) << a.ToText() << ' ' << b.ToText();
      ASSERT_EQ(a == b, a_value == b_value) << a.ToText() << ' ' << b.ToText();
    }
  }
}

TEST(Number, StoredFormsAreThoseOfNumbersThatClientsCanSend) {
  for (const std::string_view text :
       {"0", "1", "-1", "10", "0.1", "99", "100", "-100", "1E-130", "9.9E125", "-9.9E125",
        "12345678901234567890123456789012345678", "1.2345678901234567890123456789012345678",
        "-1.2345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"}) {
    Number number;
    ASSERT_EQ(Number::Parse(text, &number), NumberError::kNone);
    EXPECT_TRUE(IsStoredNumber(number.stored())) << text;
  }
  for (const std::string_view bytes :
       {""sv, "\x7f"sv, "\x81"sv, "\xc1\x01"sv, "\xc1\x66"sv, "\xc1\x02\x01"sv, "\x3e\x64"sv,
        "\x3e\x66"sv, "\x3e\x65\x66"sv, "\x80\x01"sv, "\xff\x66\x66"sv,
        // 39 digits, and 10^126
        "\xc1\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0c"sv,
        "\x00\x64\x66\x66"sv}) {
    EXPECT_FALSE(IsStoredNumber(bytes)) << testing::PrintToString(bytes);
  }
}

// Any bytes of a few lengths: those that are accepted are the form of the number that they say.
TEST(Number, AcceptedStoredFormsAreParsedToTheSameForm) {
  Random random(7);
  int accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string bytes(1 + Below(random, std::size_t{4}), '\0');
    for (char& byte : bytes) byte = static_cast<char>(Below(random, 256));
    if (Below(random, 2) == 0 && bytes.size() > 1) bytes.back() = '\x66';
    if (!IsStoredNumber(bytes)) continue;
    ++accepted;
    Number number;
    ASSERT_EQ(Number::Parse(Number::FromStored(bytes).ToText(), &number), NumberError::kNone);
    ASSERT_EQ(number.stored(), bytes);
  }
  EXPECT_GT(accepted, 1000);
}

using boost::multiprecision::cpp_int;

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
    const Number a = ParsedNumber(Spell(x, random));
    const Number b = ParsedNumber(Spell(y, random));
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
    const std::size_t at = Below(random, y.digits.size());
    y.digits[at] = static_cast<char>('1' + Below(random, 9));
    Number difference;
    const NumberError error = Number::Subtract(ParsedNumber(Spell(x, random)),
                                               ParsedNumber(Spell(y, random)), &difference);
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
    EXPECT_EQ(Number::Add(ParsedNumber(row.a), ParsedNumber(row.b), &sum), row.error)
        << row.a << ' ' << row.b;
    EXPECT_EQ(sum.ToText(), row.error == NumberError::kNone ? row.sum : "-3");
  }
}

TEST(NumberArithmetic, ResultMayBeAnOperand) {
  Number n = ParsedNumber("1.5");
  ASSERT_EQ(Number::Add(n, n, &n), NumberError::kNone);
  EXPECT_EQ(n.ToText(), "3");
  ASSERT_EQ(Number::Subtract(n, n, &n), NumberError::kNone);
  EXPECT_EQ(n, Number());
}

}  // namespace
}  // namespace hashrange
