#include "lab/language/data/zipf_rank_table.h"

namespace hashrange {

const ZipfRanks& ZipfRankTable::Of(std::uint64_t count, double exponent) {
  // Counts change with what is created, so only a few are worth keeping.
  constexpr std::size_t kKept = 16;
  for (const ZipfRanks& ranks : ranks_) {
    if (ranks.count() == count && ranks.exponent() == exponent) return ranks;
  }
  if (ranks_.size() == kKept) ranks_.erase(ranks_.begin());
  return ranks_.emplace_back(count, exponent);
}

}  // namespace hashrange
