// SimulatedTable: one table or index of the partition model, for simulated clients. What the table
// declares is checked before the model, as a server does. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulation/partitions/partitioned_resource.h"
#include "simulation/partitions/token_bucket.h"

namespace hashrange::test {

inline constexpr std::int64_t kLoadBeginsMs = 1'700'000'000'000;

// The units that a table served in each second since kLoadBeginsMs.
class ServedUnits {
 public:
  void Add(double units, std::int64_t now_ms);
  // Returns the units a second from the second `from_s` to before the second `to_s`.
  double PerSecond(std::size_t from_s, std::size_t to_s) const;

 private:
  std::vector<double> by_second_;
};

class SimulatedTable {
 public:
  // The table begins at kLoadBeginsMs.
  SimulatedTable(const PartitionParameters& parameters, const KeySchema& key, std::uint64_t seed,
                 const ResourceSettings& settings);

  void Advance(std::int64_t now_ms);
  // Returns whether the access is served, and takes its units or counts its refusal.
  bool Serve(Draw draw, const Position& position, double units);

  const ServedUnits& served() const { return served_; }
  PartitionedResource& resource() { return resource_; }
  // Returns the moments at which heat has cut a partition, in ms since kLoadBeginsMs.
  std::vector<std::int64_t> HeatCutTimes() const;

 private:
  std::int64_t now_ms_ = kLoadBeginsMs;
  std::optional<TokenBucket> declared_reads_;
  std::optional<TokenBucket> declared_writes_;
  PartitionedResource resource_;
  ServedUnits served_;
};

}  // namespace hashrange::test
