#include "base/portable_math.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace hashrange {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// A number of twice the precision: the sum of both, of which `lo` is at most half a unit in the
// last place of `hi`.
struct Twofold {
  double hi = 0;
  double lo = 0;
};

// Precondition: |a| >= |b|, or a is 0.
constexpr Twofold OrderedSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

constexpr Twofold ExactSum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// Dekker's product: each factor is the sum of two numbers of 26 bits, whose products are exact.
// Precondition: the numbers are less than 1e300.
constexpr Twofold ExactProduct(double a, double b) {
  constexpr double kHalves = 134'217'729;  // 2²⁷ + 1
  const double a_wide = kHalves * a;
  const double a_hi = a_wide - (a_wide - a);
  const double a_lo = a - a_hi;
  const double b_wide = kHalves * b;
  const double b_hi = b_wide - (b_wide - b);
  const double b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

constexpr Twofold Add(Twofold a, Twofold b) {
  const Twofold sum = ExactSum(a.hi, b.hi);
  return OrderedSum(sum.hi, sum.lo + (a.lo + b.lo));
}

constexpr Twofold Multiply(Twofold a, Twofold b) {
  const Twofold product = ExactProduct(a.hi, b.hi);
  return OrderedSum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

constexpr Twofold Divide(Twofold a, double b) {
  const double quotient = a.hi / b;
  const Twofold product = ExactProduct(quotient, b);
  return OrderedSum(quotient, (((a.hi - product.hi) - product.lo) + a.lo) / b);
}

// ln 2, the first part with 40 bits, so that its multiples by exponents are exact.
constexpr double kLn2Head = 0x1.62e42fefa2p-1;
constexpr Twofold kLn2Tail = {0x1.9ef35793c7673p-41, 0x1.f97b57a079a19p-103};
constexpr Twofold kPerLn2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Twofold kPerLn10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

constexpr int kParts = 64;  // of the tables, in a doubling of the number

// The logarithms of n/64, for the n that are near to numbers from √½ to √2.
constexpr int kFirstPart = 45;
constexpr int kLastPart = 91;
constexpr auto kLogOfPart = [] {
  std::array<Twofold, kLastPart - kFirstPart + 1> logs;
  for (int n = kFirstPart; n <= kLastPart; ++n) {
    // 2 artanh((n - 64) / (n + 64))
    const Twofold x = Divide({static_cast<double>(n - kParts), 0}, n + kParts);
    const Twofold square = Multiply(x, x);
    Twofold power = x;
    Twofold sum = x;
    for (int odd = 3; odd < 50; odd += 2) {
      power = Multiply(power, square);
      sum = Add(sum, Divide(power, odd));
    }
    logs[static_cast<std::size_t>(n - kFirstPart)] = {2 * sum.hi, 2 * sum.lo};
  }
  return logs;
}();

// 2 to the powers n/64.
constexpr auto kPowerOfPart = [] {
  std::array<Twofold, kParts> powers;
  const Twofold ln2 = Add({kLn2Head, 0}, kLn2Tail);
  for (int n = 0; n < kParts; ++n) {
    const Twofold x = Divide(Multiply(ln2, {static_cast<double>(n), 0}), kParts);
    Twofold term = {1, 0};
    Twofold sum = {1, 0};
    for (int k = 1; k < 30; ++k) {
      term = Divide(Multiply(term, x), k);
      sum = Add(sum, term);
    }
    powers[static_cast<std::size_t>(n)] = sum;
  }
  return powers;
}();

// Returns ln(1 + r). Precondition: |r| is less than 1/88.
Twofold LogOfOneAnd(Twofold r) {
  const double x = r.hi;
  const double rest =
      x * x * x *
      (1 / 3.0 -
       x * (1 / 4.0 -
            x * (1 / 5.0 -
                 x * (1 / 6.0 -
                      x * (1 / 7.0 -
                           x * (1 / 8.0 - x * (1 / 9.0 - x * (1 / 10.0 - x * (1 / 11.0)))))))));
  const Twofold square = ExactProduct(x, x);
  const Twofold sum = OrderedSum(x, -square.hi / 2);
  return OrderedSum(sum.hi, sum.lo + ((r.lo - x * r.lo) - square.lo / 2 + rest));
}

// Returns ln(x + more), where `more` is less than a unit in the last place of x.
// Precondition: x is finite and above 0.
Twofold LogOf(double x, double more = 0) {
  constexpr double kRootOfHalf = 0.7071067811865476;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < kRootOfHalf) {
    m *= 2;
    --exponent;
  }
  const int part = static_cast<int>(m * kParts + 0.5);
  const double near = static_cast<double>(part) / kParts;
  const double rest = more == 0 ? 0 : std::ldexp(more, -exponent);
  const Twofold log = LogOfOneAnd(Divide(ExactSum(m - near, rest), near));
  const Twofold whole =
      Add({exponent * kLn2Head, 0}, Multiply(kLn2Tail, {static_cast<double>(exponent), 0}));
  return Add(Add(whole, kLogOfPart[static_cast<std::size_t>(part - kFirstPart)]), log);
}

// e to the power of a number, as power × (1 + more) × 2 to the exponent.
struct ScaledExp {
  Twofold power;
  double more = 0;
  int exponent = 0;
};

// Precondition: |x| is less than 800.
ScaledExp ExpOf(Twofold x) {
  constexpr double kPartsPerLn2 = 0x1.71547652b82fep+6;
  // ln 2 / 64, the first part with 32 bits, so that its multiples are exact.
  constexpr double kHead = 0x1.62e42feep-7;
  constexpr double kTail = 0x1.a39ef35793c76p-39;
  const auto parts = static_cast<int>(std::floor(x.hi * kPartsPerLn2 + 0.5));
  const Twofold r = ExactSum(x.hi - parts * kHead, -(parts * kTail));
  const double y = r.hi;
  const double low = r.lo + x.lo;
  const double curve =
      y * y *
      (1 / 2.0 +
       y * (1 / 6.0 + y * (1 / 24.0 + y * (1 / 120.0 + y * (1 / 720.0 + y * (1 / 5040.0))))));
  const int exponent = parts >> 6;
  return {kPowerOfPart[static_cast<std::size_t>(parts - exponent * kParts)],
          y + (low + low * y + curve), exponent};
}

double Value(const ScaledExp& exp) {
  const double value = exp.power.hi + (exp.power.lo + exp.power.hi * exp.more);
  return std::ldexp(value, exp.exponent);
}

constexpr double kGreatestExponent = 709.79;  // e to this power is no finite number
constexpr double kLeastExponent = -745.2;     // e to this power is 0

double ExpOrEdge(Twofold x) {
  if (x.hi > kGreatestExponent) return kInfinity;
  return x.hi < kLeastExponent ? 0 : Value(ExpOf(x));
}

// Returns what the logarithms have in common at their edges, and otherwise ln x × factor.
double LogOrEdge(double x, Twofold factor) {
  if (x == 0) return -kInfinity;
  if (!(x > 0)) return kNoNumber;
  return x == kInfinity ? x : Multiply(LogOf(x), factor).hi;
}

double PositivePow(double x, double y) {
  if (x == 0 || x == kInfinity) return (x == 0) == (y < 0) ? kInfinity : 0;
  const Twofold log = LogOf(x);
  if (log.hi == 0) return 1;
  constexpr double kGreatestFactor = 1e290;
  if (std::abs(y) > kGreatestFactor) return (log.hi > 0) == (y > 0) ? kInfinity : 0;
  return ExpOrEdge(Multiply(log, {y, 0}));
}

}  // namespace

double PortableExp(double x) { return std::isnan(x) ? x : ExpOrEdge({x, 0}); }

double PortableLog(double x) { return LogOrEdge(x, {1, 0}); }
double PortableLog2(double x) { return LogOrEdge(x, kPerLn2); }
double PortableLog10(double x) { return LogOrEdge(x, kPerLn10); }

double PortablePow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNoNumber;
  if (x >= 0) return PositivePow(x, y);
  const bool is_whole = std::floor(y) == y;
  if (!is_whole && std::isfinite(x)) return kNoNumber;
  const bool is_odd = is_whole && std::isfinite(y) && std::fmod(y, 2) != 0;
  return is_odd ? -PositivePow(-x, y) : PositivePow(-x, y);
}

double PortableExpm1(double x) {
  if (std::isnan(x) || x == 0) return x;
  if (x > kGreatestExponent) return kInfinity;
  constexpr double kLeast = -40;  // e to this power is less than a unit in the last place of 1
  if (x < kLeast) return -1;
  const ScaledExp exp = ExpOf({x, 0});
  if (exp.exponent > 60) return Value(exp);
  const double power = std::ldexp(exp.power.hi, exp.exponent);
  const double rest = std::ldexp(exp.power.lo, exp.exponent) + power * exp.more;
  const Twofold less_one = ExactSum(power, -1);
  return less_one.hi + (less_one.lo + rest);
}

double PortableLog1p(double x) {
  if (std::isnan(x) || x == 0 || x == kInfinity) return x;
  if (x == -1) return -kInfinity;
  if (x < -1) return kNoNumber;
  constexpr double kNearZero = 1 / 128.0;
  if (std::abs(x) < kNearZero) return LogOfOneAnd({x, 0}).hi;
  const Twofold sum = ExactSum(1, x);
  return LogOf(sum.hi, sum.lo).hi;
}

double PortableCos(double x) {
  if (!std::isfinite(x)) return kNoNumber;
  // π/2, the first two parts with 33 bits each.
  constexpr double kPerQuarter = 0x1.45f306dc9c883p-1;
  constexpr double kHead = 0x1.921fb544p+0;
  constexpr double kMiddle = 0x1.0b4611a6p-34;
  constexpr double kTail = 0x1.3198a2e037073p-69;
  const double quarters = std::floor(std::abs(x) * kPerQuarter + 0.5);
  const double y = ((std::abs(x) - quarters * kHead) - quarters * kMiddle) - quarters * kTail;
  const double square = y * y;
  const auto quarter = static_cast<int>(std::fmod(quarters, 4));
  const bool is_sine = quarter % 2 == 1;
  double term = is_sine ? y : 1;
  double sum = 0;
  constexpr int kMostTerms = 12;
  std::array<double, kMostTerms> terms;
  for (int n = 0; n < kMostTerms; ++n) {
    terms[static_cast<std::size_t>(n)] = term;
    const int factor = 2 * n + (is_sine ? 2 : 1);
    term *= -square / (factor * (factor + 1));
  }
  for (int n = kMostTerms - 1; n >= 0; --n) sum += terms[static_cast<std::size_t>(n)];
  return quarter == 1 || quarter == 2 ? -sum : sum;
}

namespace {

// Returns the value of the polynomial with these coefficients, the highest power first.
double Polynomial(std::span<const double> coefficients, double x) {
  double sum = 0;
  for (const double one : coefficients) sum = sum * x + one;
  return sum;
}

}  // namespace

double PortableErfc(double x) {
  if (std::isnan(x)) return x;
  if (x < 0) return 2 - PortableErfc(-x);
  constexpr double kZero = 27.3;  // from here on, the value is no number of normal size
  if (x > kZero) return 0;
  constexpr double kPerRootOfPi = 0x1.20dd750429b6dp-1;
  const Twofold square = ExactProduct(x, x);
  const double bell = ExpOrEdge({-square.hi, -square.lo});
  constexpr double kSeriesBelow = 1;
  if (x < kSeriesBelow) {
    // erf x = 2/√π e^(-x²) (x + 2x³/3 + 4x⁵/15 + …)
    double term = x;
    double sum = x;
    for (int odd = 3; term > sum * 1e-18; odd += 2) {
      term *= 2 * square.hi / odd;
      sum += term;
    }
    return 1 - 2 * kPerRootOfPi * bell * sum;
  }
  // The quotients of polynomials of W. J. Cody, "Rational Chebyshev approximations for the error
  // function", 1969.
  constexpr double kFirstEnd = 4;
  if (x <= kFirstEnd) {
    constexpr std::array kAbove = {
        2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
        6.61191906371416295e1,  2.98635138197400131e2,  8.81952221241769090e2,
        1.71204761263407058e3,  2.05107837782607147e3,  1.23033935479799725e3};
    constexpr std::array kBelow = {1.0,
                                   1.57449261107098347e1,
                                   1.17693950891312499e2,
                                   5.37181101862009858e2,
                                   1.62138957456669019e3,
                                   3.29079923573345963e3,
                                   4.36261909014324716e3,
                                   3.43936767414372164e3,
                                   1.23033935480374942e3};
    return bell * Polynomial(kAbove, x) / Polynomial(kBelow, x);
  }
  constexpr std::array kAbove = {1.63153871373020978e-2, 3.05326634961232344e-1,
                                 3.60344899949804439e-1, 1.25781726111229246e-1,
                                 1.60837851487422766e-2, 6.58749161529837803e-4};
  constexpr std::array kBelow = {1.0,
                                 2.56852019228982242e0,
                                 1.87295284992346725e0,
                                 5.27905102951428412e-1,
                                 6.05183413124413191e-2,
                                 2.33520497626869185e-3};
  const double less = 1 / square.hi;
  const double more = less * Polynomial(kAbove, less) / Polynomial(kBelow, less);
  return bell * (kPerRootOfPi - more) / x;
}

}  // namespace hashrange
