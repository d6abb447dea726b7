// Draws: random numbers that are pure functions of what they are for, so that a lab gives the same
// figures on each machine and in any order. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "lab/file/lab_file.h"

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

 private:
  std::uint64_t state_;
};

// Returns a number of the distribution. Not for kZipf of counts, which needs all ranks
// (Population).
double DrawFrom(const LabDistribution& distribution, DrawSequence& draws);

// Ranks by Zipf's law: rank k, from 0, has a share in proportion to 1 ÷ (k + 1)^exponent. Any
// exponent of 0 or more, 1 included. Rejection-inversion: no table, O(1) a draw.
class ZipfRanks {
 public:
  ZipfRanks(std::uint64_t count, double exponent);  // count is more than 0
  std::uint64_t Draw(DrawSequence& draws) const;
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 1;
};

// A permutation of the numbers below `count`, without a table.
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed);
  std::uint64_t At(std::uint64_t place) const;

 private:
  std::uint64_t count_ = 1;
  std::uint64_t seed_ = 0;
};

}  // namespace hashrange
