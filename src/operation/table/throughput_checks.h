// The throughput members that tables and indexes share, in CreateTable and in UpdateTable
// (docs/service/03-tables-and-indexes.md, sections 2 and 7; 13-update-table-and-gsi-lifecycle.md,
// section 3): their reading, their checks, and the throughput with which a new table or index
// begins. `index` is the name of the index; empty: the table. Every check returns
// ValidationException when it fails. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "engine/table_version.h"
#include "wire/binder.h"

namespace hashrange {

// Units for reads and for writes. A request may give both, one or none.
struct PartialUnits {
  std::optional<std::int64_t> read;
  std::optional<std::int64_t> write;

  bool empty() const { return !read && !write; }
};

// Return the units in the member ProvisionedThroughput, OnDemandThroughput or WarmThroughput;
// nullopt: the member is absent.
std::optional<PartialUnits> ReadProvisionedUnits(const RequestObject& request);
std::optional<PartialUnits> ReadOnDemandUnits(const RequestObject& request);
std::optional<PartialUnits> ReadWarmUnits(const RequestObject& request);

// Checks that neither the read units nor the write units are more than 10^12.
// Errors: ValidationException "Given value <N> for <member> is out of bounds"
Status CheckUnitsInBounds(const ProvisionedThroughput& throughput);

// Checks the OnDemandThroughput of a new table or index. `on_demand`: the table's billing mode.
Status CheckOnDemandOfNew(const PartialUnits& units, bool on_demand, std::string_view index);
// Checks a change of OnDemandThroughput. −1 removes a limit.
Status CheckOnDemandOfExisting(const PartialUnits& units, bool on_demand, std::string_view index);

// Returns the warm throughput with which a new table or index begins: on demand the service's
// default, otherwise `throughput`.
WarmThroughput InitialWarmThroughput(bool on_demand, const ProvisionedThroughput& throughput);
// Check WarmThroughput. A new table or index must not have less than `start`, the result of
// InitialWarmThroughput; an existing one must not get less than `current`.
Status CheckWarmOfNew(const PartialUnits& units, bool on_demand, const WarmThroughput& start,
                      std::string_view index);
Status CheckWarmOfExisting(const PartialUnits& units, const WarmThroughput& current,
                           std::string_view index);

// Return the OnDemandThroughput and the WarmThroughput of a new table or index, for which the
// request gives `units`. OnDemandThroughput is nullopt when the request sets no maximum. `start`
// has the warm units that the request does not give.
std::optional<OnDemandThroughput> NewOnDemandThroughput(const std::optional<PartialUnits>& units);
WarmThroughput NewWarmThroughput(const std::optional<PartialUnits>& units,
                                 const WarmThroughput& start);

}  // namespace hashrange
