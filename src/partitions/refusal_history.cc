#include "partitions/refusal_history.h"

#include <utility>

namespace hashrange {

void RefusalHistory::Add(Direction direction, ThrottlingLimit limit, std::int64_t now_ms) {
  for (int merges = slices_.MergesUntil(now_ms); merges > 0; --merges) MergeSlices();
  const std::size_t slice = slices_.SliceOf(now_ms);
  if (slice >= counts_.size()) counts_.resize(slice + 1);
  ++counts_[slice][static_cast<std::size_t>(direction)][static_cast<std::size_t>(limit)];
}

std::int64_t RefusalHistory::CountSince(std::int64_t since_ms, Direction direction,
                                        ThrottlingLimit limit) const {
  std::int64_t count = 0;
  for (std::size_t slice = slices_.SliceOf(since_ms); slice < counts_.size(); ++slice) {
    count += counts_[slice][static_cast<std::size_t>(direction)][static_cast<std::size_t>(limit)];
  }
  return count;
}

void RefusalHistory::MergeSlices() {
  slices_.Merge();
  std::vector<Counts> merged((counts_.size() + 1) / 2);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    for (std::size_t direction = 0; direction < 2; ++direction) {
      for (std::size_t limit = 0; limit < kThrottlingLimits; ++limit) {
        merged[i / 2][direction][limit] += counts_[i][direction][limit];
      }
    }
  }
  counts_ = std::move(merged);
}

}  // namespace hashrange
