#include "simulation/resource_throughput.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/stable_sort.h"
#include "engine/table_version.h"
#include "simulation/partitions/draw.h"
#include "simulation/throttling.h"

namespace hashrange {
namespace {

// How many units a second a table or a global index yields: the provisioned throughput or, on
// demand, the maximum, if one is set (docs/service/20-partition-model.md, section 3).
struct ThroughputLimit {
  std::int64_t units_per_second = 0;
  // When the limit was last changed; 0 where the version does not say.
  std::int64_t changed_epoch_ms = 0;
};

std::int64_t LastChange(const ThroughputHistory& history) {
  return std::max(history.last_increase_epoch_ms.value_or(0),
                  history.last_decrease_epoch_ms.value_or(0));
}

// Returns the limit of the table (`index` is null) or of the index; nullopt: there is no limit.
std::optional<ThroughputLimit> ThroughputLimitOf(const TableVersion& table,
                                                 const IndexVersion* index, Direction direction) {
  const bool is_read = direction == Direction::kRead;
  if (!table.settings.on_demand) {
    const ProvisionedThroughput& units = index ? index->throughput : table.settings.throughput;
    return ThroughputLimit{
        is_read ? units.read_units : units.write_units,
        LastChange(index ? index->throughput_history : table.settings.throughput_history)};
  }
  const auto& most = index ? index->on_demand : table.settings.on_demand_throughput;
  if (!most) return std::nullopt;
  const auto& units = is_read ? most->max_read_units : most->max_write_units;
  // −1: there is no maximum.
  if (!units || *units < 0) return std::nullopt;
  return ThroughputLimit{*units, 0};
}

ResourceSettings SettingsOf(const TableVersion& table, const IndexVersion* index,
                            std::int64_t size_bytes) {
  ResourceSettings settings{.on_demand = table.settings.on_demand, .size_bytes = size_bytes};
  const WarmThroughput& warm = index ? index->warm : table.settings.warm;
  if (warm.is_given) settings.warm = {warm.read_units_per_second, warm.write_units_per_second};
  if (!settings.on_demand) {
    const ProvisionedThroughput& units = index ? index->throughput : table.settings.throughput;
    settings.provisioned = {units.read_units, units.write_units};
  }
  if (!index) {
    settings.has_local_index = std::ranges::any_of(
        table.indexes, [](const IndexVersion& each) { return each.schema.is_local; });
  }
  return settings;
}

}  // namespace

void ResourceThroughput::BeginDeclared(std::int64_t begin_ms) {
  sides_ = {};
  begin_ms_ = begin_ms;
  is_new_ = true;
}

void ResourceThroughput::BeginPartitions(const PartitionParameters& parameters, std::uint64_t seed,
                                         std::uint64_t model, const TableVersion& table,
                                         const IndexVersion* index) {
  const KeySchema& key = index ? index->schema.key : table.key;
  settings_ = SettingsOf(table, index, settings_.size_bytes);
  partitions_ = std::make_unique<PartitionedResource>(parameters, key, seed, settings_, now_ms_);
  model_ = model;
}

void ResourceThroughput::Refresh(const TableVersion& table, const IndexVersion* index,
                                 std::int64_t now_ms) {
  now_ms_ = now_ms;
  if (partitions_) partitions_->Advance(now_ms);
  if (!is_new_ && table.number <= version_) return;
  version_ = table.number;
  for (const Direction direction : kDirections) RefreshSide(table, index, direction);
  is_new_ = false;
  if (!partitions_) return;
  settings_ = SettingsOf(table, index, settings_.size_bytes);
  partitions_->SetSettings(settings_);
}

void ResourceThroughput::RefreshSide(const TableVersion& table, const IndexVersion* index,
                                     Direction direction) {
  Side& side = SideOf(direction);
  const auto limit = ThroughputLimitOf(table, index, direction);
  if (!limit) {
    side.bucket.reset();
    return;
  }
  side.limit =
      table.settings.on_demand ? ThrottlingLimit::kMaxOnDemand : ThrottlingLimit::kProvisioned;
  if (!side.bucket) {
    const std::int64_t begin_ms = is_new_ ? std::min(begin_ms_, now_ms_) : now_ms_;
    side.bucket.emplace(limit->units_per_second, TokenBucket::kTableBurstMs, begin_ms);
  } else {
    const std::int64_t changed_ms = limit->changed_epoch_ms;
    side.bucket->SetRate(limit->units_per_second, changed_ms > 0 ? changed_ms : now_ms_, now_ms_);
  }
}

void ResourceThroughput::SetSize(std::int64_t size_bytes, std::int64_t now_ms) {
  size_known_ms_ = now_ms;
  if (settings_.size_bytes == size_bytes) return;
  settings_.size_bytes = size_bytes;
  if (partitions_) partitions_->SetSettings(settings_);
}

std::optional<ThrottlingLimit> ResourceThroughput::FindLimit(LimitSet limits, Draw draw,
                                                             const Position& position) {
  std::optional<ThrottlingLimit> found;
  if (limits.partitions && partitions_) found = partitions_->FindLimit(draw, position);
  // What the table as a whole cannot serve does not reach a partition.
  if (found == ThrottlingLimit::kAccount || !limits.declared) return found;
  Side& side = SideOf(draw.direction);
  return side.bucket && !side.bucket->IsOpen(now_ms_) ? side.limit : found;
}

bool ResourceThroughput::HasLimitForWrites(LimitSet limits) {
  Side& writes = SideOf(Direction::kWrite);
  if (limits.declared && writes.bucket && !writes.bucket->IsOpen(now_ms_)) return true;
  return limits.partitions && partitions_ && partitions_->HasLimitForWrites();
}

void ResourceThroughput::Take(LimitSet limits, Draw draw, const PositionSpan& span, double units) {
  if (units == 0) return;
  Side& side = SideOf(draw.direction);
  if (limits.declared && side.bucket) side.bucket->Take(units, now_ms_);
  if (limits.partitions && partitions_) partitions_->Take(draw, span, units);
}

void ResourceThroughput::TakeInAdvance(LimitSet limits, Draw draw, const Position& position,
                                       double units) {
  Side& side = SideOf(draw.direction);
  if (limits.declared && side.bucket) side.bucket->Take(units, now_ms_);
  if (limits.partitions && partitions_) partitions_->TakeInAdvance(draw, position, units);
}

void ResourceThroughput::AddRefused(Draw draw, const Position& position, double units,
                                    ThrottlingLimit limit) {
  Side& side = SideOf(draw.direction);
  if (limit == side.limit) ++side.throttled;
  if (partitions_) partitions_->AddRefused(draw, position, units, limit);
}

std::optional<BucketState> ResourceThroughput::Describe(Direction direction) {
  Side& side = SideOf(direction);
  if (!side.bucket) return std::nullopt;
  return BucketState{side.bucket->units_per_second(), side.bucket->UnitsLeft(now_ms_),
                     side.throttled};
}

std::optional<PartitionMap> ResourceThroughput::Map(bool is_index) const {
  if (!partitions_) return std::nullopt;
  PartitionMap map = partitions_->Map();
  map.model = model_;
  const auto limit_to = [](double* limit, const Side& side) {
    if (!side.bucket) return;
    const auto declared = static_cast<double>(side.bucket->units_per_second());
    *limit = *limit == 0 ? declared : std::min(*limit, declared);
  };
  limit_to(&map.read_limit, sides_[0]);
  limit_to(&map.write_limit, sides_[1]);
  for (const Direction direction : kDirections) {
    for (std::size_t i = 0; i < kThrottlingLimits; ++i) {
      const auto limit = static_cast<ThrottlingLimit>(i);
      const std::int64_t count = partitions_->refused(direction, limit);
      if (count == 0) continue;
      const bool is_write = direction == Direction::kWrite;
      map.throttles.push_back({ThrottlingReasonName({is_index, is_write, limit}), count});
    }
  }
  StableSort(map.throttles, {}, &ThrottleCount::reason);
  return map;
}

}  // namespace hashrange
