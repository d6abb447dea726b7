// ZipfRankTable: the ZipfRanks (draws.h) that were asked for last, so that they are not made for
// each draw. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/language/data/draws.h"

namespace hashrange {

class ZipfRankTable {
 public:
  // Returns the ranks, which are valid until the next call. `count` is more than 0.
  const ZipfRanks& Of(std::uint64_t count, double exponent);

 private:
  std::vector<ZipfRanks> ranks_ = {};
};

}  // namespace hashrange
