// ZipfSizes: how large each rank is, by Zipf's law, with a given mean: the first parent has many
// children, most have few. Immutable; any thread.
//
//   size of rank k = least … scale ÷ (k + 1)^exponent … greatest, with the scale for which the mean
//   of all ranks is the distribution's
#pragma once

#include <cstdint>
#include <vector>

#include "lab/language/data/draws.h"
#include "lab/language/lab_file.h"

namespace hashrange {

class ZipfSizes {
 public:
  // `distribution` is a kZipf. A mean that its bounds do not allow is clamped to them.
  // Cost: some thousand powers, whatever `ranks` is.
  ZipfSizes(std::uint64_t ranks, const LabDistribution& distribution);

  double At(std::uint64_t rank) const;
  // Returns the size of a rank that is drawn, all ranks alike.
  double Draw(DrawSequence& draws) const;

  // Says that the sizes are those of this distribution and so many ranks.
  bool IsOf(std::uint64_t ranks, const LabDistribution& distribution) const;

 private:
  double SumWith(double scale) const;

  std::uint64_t ranks_;
  LabDistribution distribution_;
  double scale_ = 0;
};

// The sizes that were asked for, so that they are made once. Used by one thread at a time.
class ZipfSizeTable {
 public:
  // Returns the sizes, which are valid until the next call.
  const ZipfSizes& Of(std::uint64_t ranks, const LabDistribution& distribution);

 private:
  std::vector<ZipfSizes> sizes_ = {};
};

}  // namespace hashrange
