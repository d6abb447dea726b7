// When provisioned throughput changed, and how often it was lowered today
// (docs/service/03-tables-and-indexes.md, section 7).
#pragma once

#include <cstdint>

#include "engine/table_version.h"

namespace hashrange {

// The decreases of the UTC day of `now_epoch_ms`.
std::int64_t DecreasesToday(const ThroughputHistory& history, std::int64_t now_epoch_ms);

// Dates a change. One that raises one kind of units and lowers the other is both.
void StampChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                 std::int64_t now_epoch_ms, ThroughputHistory* history);

// Dates a change that was recorded when it was asked for, and is done only now.
void CompleteChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                    std::int64_t now_epoch_ms, ThroughputHistory* history);

// Dates a change and counts it when it is a decrease.
void RecordChange(const ProvisionedThroughput& before, const ProvisionedThroughput& after,
                  std::int64_t now_epoch_ms, ThroughputHistory* history);

}  // namespace hashrange
