#include "lab/language/data/draws.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/portable_math.h"
#include "base/random.h"
#include "lab/language/data/zipf.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // SplitMix64's

std::uint64_t Scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double PowerOfTen(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

double DrawUniform(const LabDistribution& distribution, DrawSequence& draws, int decimals) {
  constexpr double kMostSteps = 9e15;  // whole numbers up to this one are exact
  const double power = PowerOfTen(decimals);
  const double first = std::ceil(distribution.first * power - 1e-6);
  const double last = std::floor(distribution.second * power + 1e-6);
  if (std::abs(first) > kMostSteps || std::abs(last) > kMostSteps) {
    return distribution.first + draws.Unit() * (distribution.second - distribution.first);
  }
  if (last <= first) return first / power;
  return (first + static_cast<double>(draws.Below(static_cast<std::uint64_t>(last - first) + 1))) /
         power;
}

}  // namespace

std::uint64_t MixedHash(std::initializer_list<std::uint64_t> parts) {
  std::uint64_t hash = kStep;
  for (const std::uint64_t part : parts) hash = Scramble((hash ^ part) + kStep);
  return hash;
}

std::uint64_t DrawSequence::Next() {
  state_ += kStep;
  return Scramble(state_);
}

double DrawSequence::Unit() { return FractionOf(Next()); }

std::uint64_t DrawSequence::Below(std::uint64_t limit) {
  if (limit <= 0xffffffff) return ((Next() >> 32) * limit) >> 32;
  return Next() % limit;
}

double DrawSequence::Exponential(double mean) { return -mean * PortableLog1p(-Unit()); }

double DrawSequence::Normal() {
  // Box and Muller's method; the second of its two numbers is not used.
  constexpr double kTurn = 6.283185307179586;
  const double radius = std::sqrt(-2 * PortableLog1p(-Unit()));
  return radius * PortableCos(kTurn * Unit());
}

std::uint64_t DrawSequence::Poisson(double mean) {
  constexpr double kLargeMean = 500;
  if (mean > kLargeMean) {
    // A normal number is close: it only lacks the skewness, which is less than 0.05 here.
    const double number = std::round(mean + std::sqrt(mean) * Normal());
    return number < 0 ? 0 : static_cast<std::uint64_t>(number);
  }
  const double unit = Unit();
  double probability = PortableExp(-mean);
  double sum = probability;
  std::uint64_t number = 0;
  while (unit >= sum && probability > 0) {
    ++number;
    probability *= mean / static_cast<double>(number);
    sum += probability;
  }
  return number;
}

double RoundedTo(double number, int decimals) {
  const double power = PowerOfTen(decimals);
  const double scaled = number * power;
  // Greater numbers have no decimals that a double can hold.
  return std::abs(scaled) < 9e15 ? std::round(scaled) / power : number;
}

double DrawFrom(const LabDistribution& distribution, DrawSequence& draws, int decimals) {
  double number = 0;
  switch (distribution.kind) {
    case LabDistribution::Kind::kFixed:
      return distribution.first;
    case LabDistribution::Kind::kUniform:
      return DrawUniform(distribution, draws, decimals);
    case LabDistribution::Kind::kZipf:
      number = ZipfSizes(kZipfRanksOfNumbers, distribution).Draw(draws);
      break;
    case LabDistribution::Kind::kPoisson:
      number = static_cast<double>(draws.Poisson(distribution.first));
      break;
    case LabDistribution::Kind::kLognormal:
      number = PortableExp(distribution.first + distribution.second * draws.Normal());
      break;
    case LabDistribution::Kind::kNormal:
      number = distribution.first + distribution.second * draws.Normal();
      break;
  }
  return std::clamp(RoundedTo(number, decimals), distribution.least,
                    std::max(distribution.least, distribution.greatest));
}

// A Feistel network permutes the numbers of `bits` bits, the fewest that hold all of them. A number
// that is too great is permuted again until it is not, which keeps it a permutation.

namespace {

constexpr int kRounds = 6;  // an even number, so the halves have their widths again

std::uint64_t LowBits(std::uint64_t number, int bits) {
  return number & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t RoundHash(std::uint64_t half, std::uint64_t seed, int round) {
  std::uint64_t hash = (half + seed) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(round);
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9;
  return hash ^ (hash >> 32);
}

}  // namespace

Permutation::Permutation(std::uint64_t count, std::uint64_t seed) : count_(count), seed_(seed) {
  const int bits = count < 2 ? 0 : static_cast<int>(std::bit_width(count - 1));
  low_bits_ = bits / 2;
  high_bits_ = bits - low_bits_;
}

std::uint64_t Permutation::AtInPowerOfTwo(std::uint64_t place) const {
  std::uint64_t low = LowBits(place, low_bits_);
  std::uint64_t high = place >> low_bits_;
  int width_of_high = high_bits_;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t mixed = high ^ LowBits(RoundHash(low, seed_, round), width_of_high);
    high = low;
    low = mixed;
    width_of_high = round % 2 == 0 ? low_bits_ : high_bits_;
  }
  return (high << low_bits_) | low;
}

std::uint64_t Permutation::At(std::uint64_t place) const {
  if (count_ < 2) return 0;
  do place = AtInPowerOfTwo(place);
  while (place >= count_);
  return place;
}

}  // namespace hashrange
