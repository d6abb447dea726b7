// A batch at the gate: which refusals of a member send it back unprocessed, and which are the
// whole batch's (reference 07; 10, section 6). Pure functions; any thread.
#pragma once

#include "base/error.h"

namespace hashrange {

// Throttled: a batch of which no member is processed fails so.
inline bool IsThrottling(ErrorCode code) {
  return code == ErrorCode::kProvisionedThroughputExceededException ||
         code == ErrorCode::kThrottlingException || code == ErrorCode::kRequestLimitExceeded;
}

// Throttled, or in conflict with a transaction: the member comes back unprocessed. Any other
// error is the whole batch's.
inline bool IsUnprocessed(ErrorCode code) {
  return IsThrottling(code) || code == ErrorCode::kTransactionConflictException;
}

}  // namespace hashrange
