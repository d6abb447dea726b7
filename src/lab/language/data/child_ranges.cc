#include "lab/language/data/child_ranges.h"

#include <algorithm>
#include <utility>

namespace hashrange {

ChildRanges::ChildRanges(std::vector<std::uint32_t> counts) : begins_(std::move(counts)) {
  std::uint32_t begin = 0;
  for (std::uint32_t& entry : begins_) begin += std::exchange(entry, begin);
  begins_.push_back(begin);
}

std::uint64_t ChildRanges::ParentOf(std::uint64_t child) const {
  if (child < Begin(last_parent_) || child >= End(last_parent_)) {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), child);
    last_parent_ = static_cast<std::uint64_t>(after - begins_.begin()) - 1;
  }
  return last_parent_;
}

}  // namespace hashrange
