#include "simulation/partitions/heat_history.h"

#include <algorithm>

namespace hashrange {

bool HeatSlot::empty() const {
  return units[0] == 0 && units[1] == 0 && throttled[0] == 0 && throttled[1] == 0 &&
         read_work == 0 && write_work == 0;
}

void HeatSlot::AddDemand(Draw draw, double demand) {
  const double work = WorkOf(draw, demand);
  if (draw.direction == Direction::kWrite) {
    write_work += work;
    return;
  }
  read_work += work;
  if (draw.is_strong) leader_work += work;
}

void HeatSlot::Add(const HeatSlot& other) {
  for (std::size_t direction = 0; direction < 2; ++direction) {
    units[direction] += other.units[direction];
    throttled[direction] += other.throttled[direction];
  }
  leader_work += other.leader_work;
  read_work += other.read_work;
  write_work += other.write_work;
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
    into.Add(slots_[i]);
  }
  slots_.resize((slots_.size() + 1) / 2);
}

}  // namespace hashrange
