// RefusalHistory: how many accesses of a table or an index were refused, by direction and limit, in
// slices of time (HeatSlices). Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "partitions/draw.h"
#include "partitions/heat_history.h"
#include "partitions/throttling_limit.h"

namespace hashrange {

class RefusalHistory {
 public:
  explicit RefusalHistory(std::int64_t begin_ms) : slices_(begin_ms) {}

  void Add(Direction direction, ThrottlingLimit limit, std::int64_t now_ms);
  // Returns how many were refused in the slice of `since_ms` and in later ones.
  std::int64_t CountSince(std::int64_t since_ms, Direction direction, ThrottlingLimit limit) const;

 private:
  using Counts = std::array<std::array<std::int64_t, kThrottlingLimits>, 2>;  // [direction][limit]

  void MergeSlices();

  HeatSlices slices_;
  std::vector<Counts> counts_;
};

}  // namespace hashrange
