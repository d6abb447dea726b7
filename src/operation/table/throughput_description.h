// The throughput in the description of a table or global index
// (docs/service/03-tables-and-indexes.md, section 3): the members ProvisionedThroughput,
// OnDemandThroughput and WarmThroughput. Any thread.
#pragma once

#include <optional>

#include "operation/call/context.h"

namespace hashrange {

// Writes ProvisionedThroughput. On demand its units are zero.
void WriteThroughput(const Context& context, const ProvisionedThroughput& throughput,
                     const ThroughputHistory& history, JsonWriter& writer);

// Writes OnDemandThroughput, if there is a limit.
void WriteOnDemandThroughput(const std::optional<OnDemandThroughput>& limit, JsonWriter& writer);

// Writes WarmThroughput, or nothing while the table or index is CREATING and the request gave none.
void WriteWarmThroughput(const WarmThroughput& warm, ResourceStatus status, JsonWriter& writer);

}  // namespace hashrange
