#include "simulation/fault_action.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "operation/call/gate.h"
#include "simulation/holds.h"
#include "wire/error_body.h"
#include "wire/json.h"

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

// Returns an error of the service with its usual text, although nothing has gone wrong. `table` is
// the name of the table that the call is about; empty where that is not known. An error whose text
// depends on what is wrong with a request has a general text, or no text where the service answers
// without one.
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

using Kind = FaultAction::Kind;

bool IsRead(Access::Kind kind) {
  return kind == Access::Kind::kRead || kind == Access::Kind::kQuery || kind == Access::Kind::kScan;
}

bool IsTransaction(std::string_view operation) {
  return operation == "TransactWriteItems" || operation == "ExecuteTransaction" ||
         operation == "TransactGetItems";
}

// Returns the index that a throttling reason names: the index of the access; otherwise the index
// `name` or, if `name` is empty, the first global index. Returns null when the table has no such
// index.
const IndexVersion* ThrottledIndex(const Access& access, std::string_view name) {
  if (access.index) return access.index;
  if (!name.empty()) return access.table->FindIndex(name);
  const auto global = std::ranges::find_if(
      access.table->indexes, [](const IndexVersion& index) { return !index.schema.is_local; });
  return global == access.table->indexes.end() ? nullptr : &*global;
}

bool CanThrottle(const ThrottlingReason& reason, const Access& access) {
  if (reason.is_write == IsRead(access.kind)) return false;
  if (!reason.is_index) return true;
  return reason.is_write ? ThrottledIndex(access, {}) != nullptr : access.index != nullptr;
}

// The number of members of a transaction's request; 0 for other requests.
std::size_t CountTransactionMembers(const Call& call) {
  if (!call.request || !IsTransaction(call.operation)) return 0;
  const JsonValue* members = call.request->Find("TransactItems");
  if (!members) members = call.request->Find("TransactStatements");
  return members && members->type == JsonValue::Type::kArray ? members->size : 0;
}

// The cancellation has the given reasons or, without any, a conflict of the first member. The other
// members have no reason.
Error CanceledTransaction(const FaultAction& action, const Call& call) {
  std::vector<CancellationReason> reasons;
  for (const std::string& code : action.reasons) reasons.push_back({code, {}, {}});
  if (reasons.empty()) {
    reasons.push_back({"TransactionConflict", "Transaction is ongoing for the item.", {}});
  }
  if (reasons.size() < CountTransactionMembers(call)) reasons.resize(CountTransactionMembers(call));
  return TransactionCanceled(std::move(reasons));
}

Error ErrorWithCode(const FaultAction& action, const Call& call, std::string_view table) {
  Error error = *action.code == ErrorCode::kTransactionCanceledException
                    ? CanceledTransaction(action, call)
                    : UsualError(*action.code, call, table);
  if (!action.message.empty()) error.message = action.message;
  return error;
}

bool ActsOnItems(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConditionalCheckFailedException:
    case ErrorCode::kDuplicateItemException:
    case ErrorCode::kItemCollectionSizeLimitExceededException:
    case ErrorCode::kProvisionedThroughputExceededException:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kThrottlingException:
    case ErrorCode::kTransactionConflictException:
      return true;
    default:
      return false;
  }
}

// Returns whether the service may answer such an access with this error. Errors that are not listed
// are possible for any access.
bool CanAccessGetError(ErrorCode code, const Call& call, const Access& access) {
  const bool is_write = access.kind == Access::Kind::kWrite;
  switch (code) {
    case ErrorCode::kConditionalCheckFailedException:
      return (is_write || access.kind == Access::Kind::kConditionCheck) &&
             call.operation != "BatchWriteItem";
    case ErrorCode::kDuplicateItemException:
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      return is_write;
    case ErrorCode::kTransactionConflictException:
      return CanConflict(access);
    default:
      return true;
  }
}

}  // namespace

bool ActsOnItems(const FaultAction& action) {
  switch (action.kind) {
    case Kind::kThrottle:
    case Kind::kUnprocessed:
    case Kind::kConflict:
    case Kind::kCollectionFull:
      return true;
    case Kind::kError:
      return ActsOnItems(*action.code);
    default:
      return false;
  }
}

bool ActsOnOneItem(const FaultAction& action, const Access& access) {
  return access.in_transaction || action.kind == Kind::kConflict ||
         action.kind == Kind::kCollectionFull;
}

bool CanHappenAtAccess(const FaultAction& action, const Call& call, const Access& access) {
  switch (action.kind) {
    case Kind::kThrottle:
      return CanThrottle(action.throttling, access);
    case Kind::kUnprocessed:
      return call.operation == "BatchWriteItem" || call.operation == "BatchGetItem";
    case Kind::kConflict:
      return CanConflict(access);
    case Kind::kCollectionFull:
      return access.kind == Access::Kind::kWrite;
    case Kind::kError:
      return CanAccessGetError(*action.code, call, access);
    default:
      return CanHappenToCall(action, call);
  }
}

bool CanHappenToCall(const FaultAction& action, const Call& call) {
  switch (action.kind) {
    case Kind::kInProgress:
      return call.operation == "TransactWriteItems" || call.operation == "ExecuteTransaction";
    case Kind::kThrottle:
    case Kind::kUnprocessed:
    case Kind::kConflict:
    case Kind::kCollectionFull:
      return false;
    default:
      return true;
  }
}

Error ErrorAtAccess(const FaultAction& action, const Call& call, const Access& access,
                    std::string_view index) {
  switch (action.kind) {
    case Kind::kConflict:
      return TransactionConflictError(access);
    case Kind::kCollectionFull:
      return UsualError(ErrorCode::kItemCollectionSizeLimitExceededException, call, {});
    case Kind::kThrottle: {
      Error error = ThrottlingError(action.throttling,
                                    {*access.table, ThrottledIndex(access, index), call.operation},
                                    action.code);
      if (!action.message.empty()) error.message = action.message;
      return error;
    }
    case Kind::kError:
      return ErrorWithCode(action, call, access.table->name);
    default:  // kUnprocessed: no client sees this error, as another member is always processed
      return UsualError(ErrorCode::kProvisionedThroughputExceededException, call, {});
  }
}

std::optional<Error> ErrorEndingCall(const FaultAction& action, const Call& call,
                                     std::string_view table) {
  switch (action.kind) {
    case Kind::kError:
      return ErrorWithCode(action, call, table);
    case Kind::kStatus:
      return UsualError(action.http_status == 503 ? ErrorCode::kServiceUnavailable
                                                  : ErrorCode::kInternalServerError,
                        call, table);
    case Kind::kDropBefore:
      return UsualError(ErrorCode::kInternalServerError, call, table);
    case Kind::kInProgress:
      return UsualError(ErrorCode::kTransactionInProgressException, call, table);
    default:
      return std::nullopt;
  }
}

}  // namespace hashrange
