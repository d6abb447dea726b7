// Zipf's law: the first of many ranks is drawn most often (ZipfRanks), or is the largest
// (ZipfSizes). Ranks and sizes are immutable, and any thread may use them; the tables, which keep
// what was asked for last, are used by one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/language/data/draws.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Ranks by Zipf's law: rank k, from 0, has a share in proportion to 1 ÷ (k + 1)^exponent. Any
// exponent of 0 or more, 1 included. Rejection-inversion: no table, O(1) a draw.
class ZipfRanks {
 public:
  ZipfRanks(std::uint64_t count, double exponent);  // count is more than 0
  std::uint64_t Draw(DrawSequence& draws) const;
  std::uint64_t count() const { return count_; }
  double exponent() const { return exponent_; }

 private:
  double Area(double x) const;            // the area below x^−exponent, from 1 to x
  double PlaceOfArea(double area) const;  // the inverse of Area

  std::uint64_t count_ = 1;
  double exponent_ = 0;
  double least_area_ = 0;
  double greatest_area_ = 0;
  double sure_distance_ = 0;  // a place that is so close to a rank is accepted without a test
};

// The ZipfRanks that were asked for last, so that they are not made for each draw.
class ZipfRankTable {
 public:
  // Returns the ranks, which are valid until the next call. `count` is more than 0.
  const ZipfRanks& Of(std::uint64_t count, double exponent);

 private:
  std::vector<ZipfRanks> ranks_ = {};
};

// Returns the sum of k^−exponent for k from first to last: the share of these ranks, from 1, is
// this sum divided by the sum of all ranks. Cost: some 64 powers at most.
double SumOfPowers(std::uint64_t first, std::uint64_t last, double exponent);

// How large each rank is, with a given mean: the first parent has many children, most have few.
//
//   size of rank k = least … scale ÷ (k + 1)^exponent … greatest, with the scale for which the mean
//   of all ranks is the distribution's
class ZipfSizes {
 public:
  // `distribution` is a kZipf. A mean that its bounds do not allow is clamped to them.
  // Cost: some thousand powers, whatever `ranks` is.
  ZipfSizes(std::uint64_t ranks, const LabDistribution& distribution);

  double At(std::uint64_t rank) const;
  // Returns the size of a rank that is drawn, all ranks alike.
  double Draw(DrawSequence& draws) const;

  // Returns whether the sizes are for this distribution and so many ranks.
  bool IsOf(std::uint64_t ranks, const LabDistribution& distribution) const;

 private:
  double SumWith(double scale) const;

  std::uint64_t ranks_;
  LabDistribution distribution_;
  double scale_ = 0;
};

// The sizes that were asked for, so that they are made once.
class ZipfSizeTable {
 public:
  // Returns the sizes, which are valid until the next call.
  const ZipfSizes& Of(std::uint64_t ranks, const LabDistribution& distribution);

 private:
  std::vector<ZipfSizes> sizes_ = {};
};

}  // namespace hashrange
