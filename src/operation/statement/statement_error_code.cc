#include "operation/statement/statement_error_code.h"

namespace hashrange {

std::string_view StatementErrorCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConditionalCheckFailedException:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItemException:
      return "DuplicateItem";
    case ErrorCode::kResourceNotFoundException:
      return "ResourceNotFound";
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kProvisionedThroughputExceededException:
      return "ProvisionedThroughputExceeded";
    case ErrorCode::kRequestLimitExceeded:
      return "RequestLimitExceeded";
    case ErrorCode::kThrottlingException:
      return "ThrottlingError";
    case ErrorCode::kTransactionConflictException:
      return "TransactionConflict";
    case ErrorCode::kAccessDeniedException:
      return "AccessDenied";
    case ErrorCode::kInternalServerError:
    case ErrorCode::kInternalFailure:
      return "InternalServerError";
    default:
      return "ValidationError";
  }
}

}  // namespace hashrange
