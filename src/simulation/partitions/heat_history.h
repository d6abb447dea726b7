// HeatHistory: what one partition served and refused, in slices of time; and HeatSlices, the times
// of these slices, which all partitions of a table or an index share. When more than kMaxSlices
// slices would be needed, each two of them become one. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulation/partitions/draw.h"

namespace hashrange {

// What happened in one slice of time, by Direction.
struct HeatSlot {
  std::array<double, 2> units = {};      // served
  std::array<double, 2> throttled = {};  // accesses refused
  // What was asked for, refused accesses included, as work of replicas (WorkOf): strongly
  // consistent reads, all reads, writes.
  double leader_work = 0;
  double read_work = 0;
  double write_work = 0;

  bool empty() const;
  void AddDemand(Draw draw, double demand);
  void Add(const HeatSlot& other);
};

// The slices from the moment at which the model began.
class HeatSlices {
 public:
  static constexpr std::size_t kMaxSlices = 120;

  explicit HeatSlices(std::int64_t begin_ms) : begin_ms_(begin_ms) {}
  std::int64_t slice_ms() const { return slice_ms_; }
  std::int64_t BeginOf(std::size_t slice) const;
  // Returns how often slices have to be merged, each two into one, before `now_ms` is in a slice.
  int MergesUntil(std::int64_t now_ms) const;
  void Merge() { slice_ms_ *= 2; }
  // Returns the slice of a time for which no merge is needed. A time before the first slice counts
  // as in it.
  std::size_t SliceOf(std::int64_t now_ms) const;

 private:
  std::int64_t begin_ms_;
  std::int64_t slice_ms_ = 1000;
};

class HeatHistory {
 public:
  // Returns the slot of the slice, which is made if needed.
  HeatSlot& SlotOf(std::size_t slice);
  void Merge();
  const std::vector<HeatSlot>& slots() const { return slots_; }

 private:
  std::vector<HeatSlot> slots_;  // the slices from the first on; those after the last were empty
};

}  // namespace hashrange
