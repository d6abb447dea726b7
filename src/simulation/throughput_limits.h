// Throughput limits: how many units a second a table or a global index yields. The limit is the
// provisioned throughput or, on demand, the maximum, if one is set
// (docs/service/20-partition-model.md, section 3). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/table_version.h"
#include "simulation/partitions/draw.h"
#include "simulation/throttling.h"

namespace hashrange {

struct ThroughputLimit {
  std::int64_t units_per_second = 0;
  // When the limit was last changed; 0 where the version does not say.
  std::int64_t changed_epoch_ms = 0;
};

// Returns the limit of the table (`index` is null) or of the index; nullopt: there is no limit.
std::optional<ThroughputLimit> ThroughputLimitOf(const TableVersion& table,
                                                 const IndexVersion* index, Direction direction);

// Returns the reason for which accesses beyond the limit are refused.
ThrottlingReason ThrottlingReasonOf(const TableVersion& table, const IndexVersion* index,
                                    Direction direction);

}  // namespace hashrange
