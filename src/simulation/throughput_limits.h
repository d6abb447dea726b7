// ThroughputLimits: how many units a second a table or an index may be read and written with, as
// its version says: the units it is provisioned with, or on demand the maximum it was given, if
// any (reference 20, section 3). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "engine/table_version.h"

namespace hashrange {

enum class Direction : std::uint8_t { kRead, kWrite };

struct ThroughputLimit {
  std::int64_t units_per_second = 0;
  // When it last became what it is, as far as that is known; otherwise 0.
  std::int64_t changed_epoch_ms = 0;
};

// The limit of the table (`index` null) or of a global index; none: as much as is asked for.
std::optional<ThroughputLimit> LimitOf(const TableVersion& table, const IndexVersion* index,
                                       Direction direction);

// "arn:…:table/T" or "arn:…:table/T/index/I".
std::string ResourceOf(const TableVersion& table, const IndexVersion* index);

// "TableReadProvisionedThroughputExceeded" and its like, of what has a limit.
std::string ThrottlingReasonOf(const TableVersion& table, const IndexVersion* index,
                               Direction direction);

}  // namespace hashrange
