#include "partitions/heat_history.h"

#include <algorithm>

namespace hashrange {

bool HeatSlot::empty() const {
  return units[0] == 0 && units[1] == 0 && throttled[0] == 0 && throttled[1] == 0;
}

std::int64_t HeatSlices::BeginOf(std::size_t slice) const {
  return begin_ms_ + static_cast<std::int64_t>(slice) * slice_ms_;
}

int HeatSlices::MergesUntil(std::int64_t now_ms) const {
  int merges = 0;
  const std::int64_t passed_ms = std::max<std::int64_t>(0, now_ms - begin_ms_);
  while (passed_ms / (slice_ms_ << merges) >= static_cast<std::int64_t>(kMaxSlices)) ++merges;
  return merges;
}

std::size_t HeatSlices::SliceOf(std::int64_t now_ms) const {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, now_ms - begin_ms_) / slice_ms_);
}

HeatSlot& HeatHistory::SlotOf(std::size_t slice) {
  if (slice >= slots_.size()) slots_.resize(slice + 1);
  return slots_[slice];
}

void HeatHistory::Merge() {
  for (std::size_t i = 1; i < slots_.size(); ++i) {
    HeatSlot& into = slots_[i / 2];
    // The first of two slots is in its new place already.
    if (i % 2 == 0) {
      into = slots_[i];
      continue;
    }
    for (std::size_t d = 0; d < 2; ++d) {
      into.units[d] += slots_[i].units[d];
      into.throttled[d] += slots_[i].throttled[d];
    }
  }
  slots_.resize((slots_.size() + 1) / 2);
}

}  // namespace hashrange
