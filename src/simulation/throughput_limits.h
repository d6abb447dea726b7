// Throughput limits: how many units a second a table or a global index may be read and written
// with, as its version says: what it is provisioned with or, on demand, the maximum it was given,
// if any (docs/service/20-partition-model.md, section 3). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/table_version.h"
#include "simulation/throttling.h"

namespace hashrange {

enum class Direction : std::uint8_t { kRead, kWrite };

struct ThroughputLimit {
  std::int64_t units_per_second = 0;
  // When it last became what it is; 0 where the version does not say.
  std::int64_t changed_epoch_ms = 0;
};

// The limit of the table (`index` null) or of the index; none: as much as is asked for.
std::optional<ThroughputLimit> ThroughputLimitOf(const TableVersion& table,
                                                 const IndexVersion* index, Direction direction);

// Why more than that is refused.
ThrottlingReason ThrottlingReasonOf(const TableVersion& table, const IndexVersion* index,
                                    Direction direction);

}  // namespace hashrange
