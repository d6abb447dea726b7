// Throughput as the description of a table or of a global index says it
// (docs/service/03-tables-and-indexes.md, section 3): the members ProvisionedThroughput,
// OnDemandThroughput and WarmThroughput.
#pragma once

#include <optional>

#include "operation/context.h"

namespace hashrange {

// Capacity units are zero on demand.
void WriteThroughput(const Context& context, const ProvisionedThroughput& throughput,
                     const ThroughputHistory& history, JsonWriter& writer);

// Nothing without a limit.
void WriteOnDemandThroughput(const std::optional<OnDemandThroughput>& limit, JsonWriter& writer);

// While a table is made, only what was asked for is said.
void WriteWarmThroughput(const WarmThroughput& warm, ResourceStatus status, JsonWriter& writer);

}  // namespace hashrange
