// Draws: random numbers that are pure functions of what they are for, so that a lab gives the same
// figures on each machine and in any order. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "lab/language/lab_file.h"

namespace hashrange {

// Returns a number that depends on all of the parts, and looks random.
std::uint64_t MixedHash(std::initializer_list<std::uint64_t> parts);

// A sequence of random numbers that begins with `seed`.
class DrawSequence {
 public:
  explicit DrawSequence(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next();
  double Unit();                             // from 0 to 1, 1 excluded
  std::uint64_t Below(std::uint64_t limit);  // from 0 to limit − 1; limit is more than 0
  double Exponential(double mean);
  double Normal();  // of mean 0 and deviation 1
  std::uint64_t Poisson(double mean);

 private:
  std::uint64_t state_;
};

// Returns a number of the distribution that has so many decimals at most. kUniform gives each of
// these numbers alike. kZipf gives what ZipfSizes (zipf.h) has for a rank that is drawn from
// kZipfRanksOfNumbers; to make these sizes anew for each number takes long.
double DrawFrom(const LabDistribution& distribution, DrawSequence& draws, int decimals = 0);

inline constexpr std::uint64_t kZipfRanksOfNumbers = 1'000'000;

// Returns the number, rounded to so many decimals.
double RoundedTo(double number, int decimals);

// A permutation of the numbers below `count`, without a table.
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed);
  std::uint64_t At(std::uint64_t place) const;  // place is less than count

 private:
  std::uint64_t AtInPowerOfTwo(std::uint64_t place) const;

  std::uint64_t count_ = 1;
  std::uint64_t seed_ = 0;
  int low_bits_ = 0;
  int high_bits_ = 0;
};

}  // namespace hashrange
