// Throttling: the 16 reasons for which the service throttles, and the error that carries each
// (docs/service/20-partition-model.md, section 3). What is documented of them, and seen:
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

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/table_version.h"

namespace hashrange {

enum class ThrottlingLimit : std::uint8_t { kProvisioned, kKeyRange, kMaxOnDemand, kAccount };

struct ThrottlingReason {
  bool is_index = false;  // else of the table
  bool is_write = false;  // else of a read
  ThrottlingLimit limit = ThrottlingLimit::kProvisioned;
};

// "TableWriteKeyRangeThroughputExceeded".
std::string ThrottlingReasonName(const ThrottlingReason& reason);
// None for a text that is none of the 16.
std::optional<ThrottlingReason> ParseThrottlingReason(std::string_view name);

// What is throttled.
struct ThrottledAccess {
  const TableVersion& table;
  const IndexVersion* index = nullptr;  // which a reason that is `is_index` names
  std::string_view operation;           // "PutItem"
};

// The exception that carries the reason.
ErrorCode ThrottlingErrorCode(const ThrottlingReason& reason, const ThrottledAccess& access);

// That error with its usual text, the reason and the ARN of what is throttled. `code`: another
// of the three exceptions instead.
Error ThrottlingError(const ThrottlingReason& reason, const ThrottledAccess& access,
                      std::optional<ErrorCode> code = std::nullopt);

}  // namespace hashrange
