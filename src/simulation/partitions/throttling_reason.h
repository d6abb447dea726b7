// ThrottlingReason: for which of 16 reasons the service throttles an access
// (docs/service/20-partition-model.md, section 3). Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "simulation/partitions/draw.h"

namespace hashrange {

struct ThrottlingReason {
  bool is_index = false;  // an index is throttled; false: the table
  bool is_write = false;  // a write is throttled; false: a read
  ThrottlingLimit limit = ThrottlingLimit::kProvisioned;
};

// Returns the name of the reason, such as "TableWriteKeyRangeThroughputExceeded".
std::string ThrottlingReasonName(const ThrottlingReason& reason);
// Returns the reason of that name; nullopt when the name is none of the 16.
std::optional<ThrottlingReason> ParseThrottlingReason(std::string_view name);

}  // namespace hashrange
