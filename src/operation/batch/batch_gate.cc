#include "operation/batch/batch_gate.h"

#include <utility>

namespace hashrange {
namespace {

bool IsThrottling(ErrorCode code) {
  return code == ErrorCode::kProvisionedThroughputExceededException ||
         code == ErrorCode::kThrottlingException || code == ErrorCode::kRequestLimitExceeded;
}

}  // namespace

Result<bool> HandleRefusal(Error refusal, Status* first_throttled) {
  if (IsThrottling(refusal.code)) {
    if (first_throttled->ok()) *first_throttled = std::move(refusal);
    return false;
  }
  if (refusal.code == ErrorCode::kTransactionConflictException) return false;
  return refusal;
}

}  // namespace hashrange
