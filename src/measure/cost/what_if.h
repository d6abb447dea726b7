// WhatIf: a measurement as it would have been with another design. Cost, first limits, findings and
// comparisons of it are computed as of any measurement. Modelled: the traffic stays the same, and
// what changes is computed from what was counted. Pure functions; any thread.
//
//   auto without = DropIndex(measurement, "shop", "GSI2");
//   ComputeCosts(without->measurement, input)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/measurement.h"

namespace hashrange {

struct WhatIf {
  Measurement measurement = {};  // `changes` says what was changed
  // Titles of patterns that ask for what would not be there any more: an index, or attributes of
  // one. Those that read a dropped index are no longer in `measurement`.
  std::vector<std::string> unserved = {};
};

// Returns the measurement without the index: without its reads, its part of each write, its entries
// and its storage. The units of each pattern are exact; percentiles of its calls are estimates.
// Errors: ValidationException  the measurement has no such index
Result<WhatIf> DropIndex(const Measurement& measurement, std::string_view table,
                         std::string_view index);

// What entries of an index hold beside the keys of the table and of the index.
struct SmallerProjection {
  std::vector<std::string> attributes = {};  // none: KEYS_ONLY; else INCLUDE
};

// Returns the measurement with smaller entries of the index. The size of an entry is the mean of
// its entity, from the sizes of the attributes; an update of other attributes no longer writes to
// the index.
// Errors: ValidationException  the measurement has no such index, no entity with known attributes
//         in it, or the index does not hold one of the attributes now
Result<WhatIf> ShrinkProjection(const Measurement& measurement, std::string_view table,
                                std::string_view index, const SmallerProjection& projection);

enum class BillingMode : std::uint8_t { kOnDemand, kProvisioned };

// Returns the measurement with the other billing mode of a table. It provisions the throughput
// of the busiest minute at 70 % use, for the table and each global index.
// Errors: ValidationException  there is no such table, or it has this billing mode already
Result<WhatIf> ChangeBilling(const Measurement& measurement, std::string_view table,
                             BillingMode mode);

}  // namespace hashrange
