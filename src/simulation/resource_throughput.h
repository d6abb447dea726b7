// ResourceThroughput is what one table or one global index serves: the buckets of the declared
// units and, if partitions are modelled, the model. Not thread-safe: Throughput locks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/table_version.h"
#include "simulation/partitions/draw.h"
#include "simulation/partitions/partition_parameters.h"
#include "simulation/partitions/partitioned_resource.h"
#include "simulation/partitions/token_bucket.h"

namespace hashrange {

// The description of a bucket.
struct BucketState {
  std::int64_t units_per_second = 0;
  double units_left = 0;
  std::int64_t throttled = 0;  // accesses that were refused for want of these units
};

// Which limits a question is about.
struct LimitSet {
  bool declared = false;
  bool partitions = false;

  bool empty() const { return !declared && !partitions; }
};

class ResourceThroughput {
 public:
  // Makes the declared buckets anew, which fill from `begin_ms` on. A limit that is declared later
  // has saved nothing.
  void BeginDeclared(std::int64_t begin_ms);

  // Models partitions from now on, with a seed for this resource. `model`: PartitionMap::model.
  void BeginPartitions(const PartitionParameters& parameters, std::uint64_t seed,
                       std::uint64_t model, const TableVersion& table, const IndexVersion* index);
  void EndPartitions() { partitions_.reset(); }
  bool has_partitions() const { return partitions_ != nullptr; }

  // Takes over what the table declares, unless a later version was seen already, and moves the time
  // on; call it before any of the functions below.
  void Refresh(const TableVersion& table, const IndexVersion* index, std::int64_t now_ms);
  // Returns whether SetSize has to be called: the size is not known, or was told kSizeAgeMs ago.
  // The caller takes locks to know the size, so it is not told more often.
  bool WantsSize(std::int64_t now_ms) const {
    return now_ms < size_known_ms_ || now_ms - kSizeAgeMs >= size_known_ms_;
  }
  void SetSize(std::int64_t size_bytes, std::int64_t now_ms);

  // Returns the first of these limits that an access at this position meets now, if it meets one.
  std::optional<ThrottlingLimit> FindLimit(LimitSet limits, Draw draw, const Position& position);
  // Returns whether a write at some position could meet one of these limits now.
  bool HasLimitForWrites(LimitSet limits);
  // Takes the units of an access.
  void Take(LimitSet limits, Draw draw, const PositionSpan& span, double units);
  // Takes units before the access is made. Give them back, as negative units, before Take.
  void TakeInAdvance(LimitSet limits, Draw draw, const Position& position, double units);
  // Counts a refused access that would have cost `units`.
  void AddRefused(Draw draw, const Position& position, double units, ThrottlingLimit limit);

  // Returns whether the item collection with this hash is in several partitions.
  bool IsCut(std::uint64_t hash) const { return partitions_ && partitions_->IsCut(hash); }
  std::optional<BucketState> Describe(Direction direction);
  // Returns nothing unless partitions are modelled. The names and the mode are left to the caller.
  std::optional<PartitionMap> Map(bool is_index) const;

 private:
  // One direction.
  struct Side {
    std::optional<TokenBucket> bucket;  // nullopt: no limit is declared
    ThrottlingLimit limit = ThrottlingLimit::kProvisioned;
    std::int64_t throttled = 0;
  };

  Side& SideOf(Direction direction) { return sides_[static_cast<std::size_t>(direction)]; }
  void RefreshSide(const TableVersion& table, const IndexVersion* index, Direction direction);

  static constexpr std::int64_t kSizeAgeMs = 10'000;  // how old a known size may be

  std::int64_t begin_ms_ = 0;
  std::int64_t now_ms_ = 0;
  std::uint64_t version_ = 0;  // the number of the table's version at the latest Refresh
  bool is_new_ = true;
  std::array<Side, 2> sides_;  // by Direction
  ResourceSettings settings_;
  std::int64_t size_known_ms_ = INT64_MAX;  // in the future: it is not known
  std::uint64_t model_ = 0;
  std::unique_ptr<PartitionedResource> partitions_;
};

}  // namespace hashrange
