// Throttling: the 16 reasons for which the service throttles, and the error that contains each of
// them (docs/service/20-partition-model.md, section 3), as documented and as seen:
//
//   ProvisionedThroughputExceeded  ProvisionedThroughputExceededException
//   KeyRangeThroughputExceeded     by billing mode: ProvisionedThroughputExceededException, or
//                                  ThrottlingException on an on-demand table; a write to an index
//                                  and a BatchWriteItem: always ThrottlingException
//   MaxOnDemandThroughputExceeded  ThrottlingException
//   AccountLimitExceeded           RequestLimitExceeded; a write to an index: ThrottlingException
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/table_version.h"
#include "simulation/partitions/throttling_reason.h"

namespace hashrange {

// The access that is throttled.
struct ThrottledAccess {
  const TableVersion& table;
  const IndexVersion* index = nullptr;  // the index that a reason with `is_index` names
  std::string_view operation;           // "PutItem"
};

// Returns the code of the error that contains the reason.
ErrorCode ThrottlingErrorCode(const ThrottlingReason& reason, const ThrottledAccess& access);

// Returns the usual text of an error of that code, which is one of the three exceptions.
std::string_view ThrottlingText(ErrorCode code, const ThrottlingReason& reason);

// Returns that error with its usual text, the reason and the ARN of the throttled table or index.
// `code` selects another of the three exceptions.
Error ThrottlingError(const ThrottlingReason& reason, const ThrottledAccess& access,
                      std::optional<ErrorCode> code = std::nullopt);

}  // namespace hashrange
