#include "base/portable_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace hashrange {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Numbers of both signs and of all sizes up to `greatest`, and others near to 1.
std::vector<double> SomeNumbers(double greatest) {
  std::mt19937_64 random(7);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<double> numbers;
  for (int n = 0; n < 20'000; ++n) {
    const double size = greatest * std::exp(-30 * unit());
    numbers.push_back(n % 2 == 0 ? size : -size);
    numbers.push_back((1 + (unit() - 0.5) / 8));
  }
  return numbers;
}

// Returns how far `found` is from `exact`, in units in the last place of `exact`.
double Off(double found, long double exact) {
  const auto near = static_cast<double>(exact);
  if (std::abs(near) < 1e-300 || !std::isfinite(near)) return 0;
  const long double unit = std::nextafter(std::abs(near), kInfinity) - std::abs(near);
  return static_cast<double>(std::abs((found - exact) / unit));
}

template <typename Portable, typename Exact>
double GreatestOff(double greatest, bool is_positive, Portable portable, Exact exact) {
  double most = 0;
  for (double x : SomeNumbers(greatest)) {
    if (is_positive) x = std::abs(x);
    most = std::max(most, Off(portable(x), exact(static_cast<long double>(x))));
  }
  return most;
}

TEST(PortableMath, IsAsNearAsItsHeaderSays) {
  using Real = long double;
  EXPECT_LT(GreatestOff(700, false, PortableExp, [](Real x) { return std::exp(x); }), 0.515);
  EXPECT_LT(GreatestOff(1e12, true, PortableLog, [](Real x) { return std::log(x); }), 0.515);
  EXPECT_LT(GreatestOff(1e12, true, PortableLog2, [](Real x) { return std::log2(x); }), 0.515);
  EXPECT_LT(GreatestOff(1e12, true, PortableLog10, [](Real x) { return std::log10(x); }), 0.515);
  EXPECT_LT(GreatestOff(30, false, PortableExpm1, [](Real x) { return std::expm1(x); }), 1.5);
  EXPECT_LT(GreatestOff(1e12, true, PortableLog1p, [](Real x) { return std::log1p(x); }), 1.1);
  EXPECT_LT(GreatestOff(0.9, false, PortableLog1p, [](Real x) { return std::log1p(x); }), 1.1);
}

TEST(PortableMath, PowersAreNear) {
  for (const double y : {0.5, -0.25, 1.7, 3.0, -9.5, 21.0, 0.0001}) {
    const auto power = [y](double x) { return PortablePow(x, y); };
    const auto exact = [y](long double x) { return std::pow(x, static_cast<long double>(y)); };
    EXPECT_LT(GreatestOff(1e12, true, power, exact), 0.515) << y;
  }
}

TEST(PortableMath, CosinesAreNear) {
  double most = 0;
  for (const double x : SomeNumbers(1e6)) {
    const double exact = static_cast<double>(std::cos(static_cast<long double>(x)));
    most = std::max(most, std::abs(PortableCos(x) - exact));
  }
  EXPECT_LT(most, 3e-16);
}

TEST(PortableMath, ErfcIsNear) {
  double most = 0;
  for (double x = -5; x < 26; x += 0.001) {
    const long double exact = std::erfc(static_cast<long double>(x));
    most = std::max(most, static_cast<double>(std::abs(PortableErfc(x) - exact) / exact));
  }
  EXPECT_LT(most, 1e-14);
}

TEST(PortableMath, PowersOfTenAndTwoAreExact) {
  double ten = 1;
  for (int n = 0; n <= 22; ++n, ten *= 10) {
    EXPECT_EQ(PortablePow(10, n), ten);
    EXPECT_EQ(PortableLog10(ten), n);
  }
  for (int n = -1000; n <= 1000; ++n) {
    EXPECT_EQ(PortablePow(2, n), std::ldexp(1, n));
    EXPECT_EQ(PortableLog2(std::ldexp(1, n)), n);
  }
}

TEST(PortableMath, EdgesAreThoseOfTheStandard) {
  const double edges[] = {0,  0.5,   1,      2,      3,         1e10,       -0.5,      -1,  -2,
                          -3, 1e300, -1e300, 1e-310, kInfinity, -kInfinity, kNoNumber, 800, -800};
  const auto is_edge = [](double value) { return !std::isfinite(value) || value == 0; };
  const auto check = [&](double found, double expected, double x, double y) {
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << x << ", " << y << ": " << found;
    } else if (is_edge(expected) || is_edge(found)) {
      EXPECT_EQ(found, expected) << x << ", " << y;
    }
  };
  for (const double x : edges) {
    check(PortableExp(x), std::exp(x), x, 0);
    check(PortableLog(x), std::log(x), x, 0);
    check(PortableLog2(x), std::log2(x), x, 0);
    check(PortableLog10(x), std::log10(x), x, 0);
    check(PortableExpm1(x), std::expm1(x), x, 0);
    check(PortableLog1p(x), std::log1p(x), x, 0);
    check(PortableErfc(x), std::erfc(x), x, 0);
    for (const double y : edges) check(PortablePow(x, y), std::pow(x, y), x, y);
  }
  EXPECT_TRUE(std::isnan(PortableCos(kInfinity)));
}

// FNV-1a of the bits of all values. Every machine has to give this number.
TEST(PortableMath, EveryMachineGivesTheSameBits) {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&sum](double value) {
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    __builtin_memcpy(&bits, &value, sizeof bits);
    sum = (sum ^ bits) * 0x100000001b3;
  };
  double x = 0.0009765625;
  for (int n = 0; n < 2000; ++n, x += 0.0166015625) {
    for (const double value :
         {PortableExp(x), PortableExp(-x), PortableLog(x), PortableLog2(x), PortableLog10(x),
          PortablePow(x, 1.25), PortablePow(x, -7.5), PortableExpm1(-x), PortableLog1p(x),
          PortableCos(x), PortableErfc(x)}) {
      add(value);
    }
  }
  EXPECT_EQ(sum, 15537735569422208686u);
}

}  // namespace
}  // namespace hashrange
