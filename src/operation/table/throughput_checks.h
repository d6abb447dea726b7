// The checks of throughput members that a table and its indexes have in common, in
// CreateTable and in UpdateTable (docs/service/03-tables-and-indexes.md, sections 2 and 7;
// 13-update-table-and-gsi-lifecycle.md, section 3). `index` is the name of the index they are of,
// empty for the table. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "engine/table_version.h"
#include "wire/binder.h"

namespace hashrange {

// Two kinds of units, of which a request may give one.
struct PartialUnits {
  std::optional<std::int64_t> read;
  std::optional<std::int64_t> write;

  bool empty() const { return !read && !write; }
};

// A member's units; nullopt when it is absent.
std::optional<PartialUnits> ReadProvisionedUnits(const RequestObject& request);
std::optional<PartialUnits> ReadOnDemandUnits(const RequestObject& request);
std::optional<PartialUnits> ReadWarmUnits(const RequestObject& request);

// ValidationException "Given value <N> for ReadCapacityUnits is out of bounds".
Status CheckUnitsInBounds(const ProvisionedThroughput& throughput);

Status CheckOnDemandOfNew(const PartialUnits& units, bool on_demand, std::string_view index);
// −1 takes a limit away.
Status CheckOnDemandOfExisting(const PartialUnits& units, bool on_demand, std::string_view index);

// What something new serves at once, with this throughput unless it is on demand.
WarmThroughput InitialWarmThroughput(bool on_demand, const ProvisionedThroughput& throughput);
// `start`: InitialWarmThroughput.
Status CheckWarmOfNew(const PartialUnits& units, bool on_demand, const WarmThroughput& start,
                      std::string_view index);
Status CheckWarmOfExisting(const PartialUnits& units, const WarmThroughput& current,
                           std::string_view index);

}  // namespace hashrange
