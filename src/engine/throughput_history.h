// When provisioned throughput changed, and how often it was lowered today
// (docs/service/03-tables-and-indexes.md, section 7).
#pragma once

#include <cstdint>

#include "engine/table_version.h"

namespace hashrange {

// Returns the number of decreases on the UTC day of `now_epoch_ms`.
std::int64_t DecreasesToday(const ThroughputHistory& history, std::int64_t now_epoch_ms);

// In the functions below, a change that raises the units of one kind and lowers the units of the
// other is both an increase and a decrease.
//
// Sets the time of the last increase or decrease to now, without counting a decrease.
void StampChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                 std::int64_t now_epoch_ms, ThroughputHistory* history);

// Sets the times again, when a change that RecordChange has counted takes effect. A decrease that
// was counted on an earlier day becomes the first decrease of the present day.
void CompleteChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                    std::int64_t now_epoch_ms, ThroughputHistory* history);

// Sets the times as StampChange does, and counts a decrease.
void RecordChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                  std::int64_t now_epoch_ms, ThroughputHistory* history);

}  // namespace hashrange
