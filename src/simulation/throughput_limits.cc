#include "simulation/throughput_limits.h"

#include <algorithm>

namespace hashrange {
namespace {

std::int64_t LastChange(const ThroughputHistory& history) {
  return std::max(history.last_increase_epoch_ms.value_or(0),
                  history.last_decrease_epoch_ms.value_or(0));
}

}  // namespace

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

ThrottlingReason ThrottlingReasonOf(const TableVersion& table, const IndexVersion* index,
                                    Direction direction) {
  return {.is_index = index != nullptr,
          .is_write = direction == Direction::kWrite,
          .limit = table.settings.on_demand ? ThrottlingLimit::kMaxOnDemand
                                            : ThrottlingLimit::kProvisioned};
}

}  // namespace hashrange
