#include "simulation/usual_errors.h"

#include <string>

namespace hashrange {
namespace {

// Returns the usual text of an error that names nothing of the request; empty: it has no text.
std::string_view UsualText(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidationException:
      return "One or more parameter values were invalid";
    case ErrorCode::kMissingAuthenticationTokenException:
      return "Request is missing Authentication Token";
    case ErrorCode::kIncompleteSignatureException:
      return "The request signature does not conform to AWS standards.";
    case ErrorCode::kInvalidSignatureException:
      return "The request signature we calculated does not match the signature you provided. Check "
             "your AWS Secret Access Key and signing method. Consult the service documentation for "
             "details.";
    case ErrorCode::kUnrecognizedClientException:
      return "The security token included in the request is invalid.";
    case ErrorCode::kExpiredTokenException:
      return "The security token included in the request is expired";
    case ErrorCode::kThrottlingException:
      return "Rate exceeded";
    case ErrorCode::kConditionalCheckFailedException:
      return "The conditional request failed";
    case ErrorCode::kResourceNotFoundException:
      return "Requested resource not found";
    case ErrorCode::kLimitExceededException:
      return "Too many operations for a given subscriber.";
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      return "Collection size exceeded.";
    case ErrorCode::kProvisionedThroughputExceededException:
      return "The level of configured provisioned throughput for the table was exceeded. Consider "
             "increasing your provisioning level with the UpdateTable API.";
    case ErrorCode::kTransactionConflictException:
      return "Transaction is ongoing for the item";
    case ErrorCode::kReplicatedWriteConflictException:
      return "One or more items in this request are being modified by a request in another Region.";
    case ErrorCode::kDuplicateItemException:
      return "Duplicate primary key exists in table";
    case ErrorCode::kRequestLimitExceeded:
      return "Throughput exceeds the current throughput limit for your account. To request a limit "
             "increase, contact AWS Support at https://aws.amazon.com/support.";
    case ErrorCode::kIdempotentParameterMismatchException:
      return "The request uses the same client token as a previous, but non-identical request. Do "
             "not reuse a client token with different requests, unless the requests are identical";
    case ErrorCode::kTransactionInProgressException:
      return "Transaction from previous request is still in progress";
    case ErrorCode::kExpiredIteratorException:
      return "Shard iterator has expired";
    case ErrorCode::kTrimmedDataAccessException:
      return "The operation attempted to read past the oldest stream record in a shard.";
    case ErrorCode::kInternalServerError:
      return "Internal server error";
    default:
      return {};
  }
}

std::string AccessDenied(const Call& call, std::string_view table) {
  const std::string account(call.account.account_id);
  const std::string action = "dynamodb:" + std::string(call.operation);
  return "User: arn:aws:iam::" + account +
         ":user/hashrange is not authorized to perform: " + action +
         " on resource: arn:aws:dynamodb:" + std::string(call.region) + ":" + account + ":table/" +
         std::string(table) + " because no identity-based policy allows the " + action + " action";
}

}  // namespace

Error UsualError(ErrorCode code, const Call& call, std::string_view table) {
  const std::string_view named = table.empty() ? "*" : table;
  switch (code) {
    case ErrorCode::kAccessDeniedException:
      return Error{code, AccessDenied(call, named), nullptr};
    case ErrorCode::kResourceInUseException:
      return Error{code,
                   "Attempt to change a resource which is still in use: Table is being updated: " +
                       std::string(named),
                   nullptr};
    default:
      return Error{code, std::string(UsualText(code)), nullptr};
  }
}

}  // namespace hashrange
