#include "simulation/fault_action.h"

#include <algorithm>
#include <iterator>
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

// The usual texts of errors that name nothing of the request.
struct UsualText {
  ErrorCode code;
  std::string_view text;
};
constexpr UsualText kUsualTexts[] = {
    {ErrorCode::kValidationException, "One or more parameter values were invalid"},
    {ErrorCode::kMissingAuthenticationTokenException, "Request is missing Authentication Token"},
    {ErrorCode::kIncompleteSignatureException,
     "The request signature does not conform to AWS standards."},
    {ErrorCode::kInvalidSignatureException,
     "The request signature we calculated does not match the signature you provided. Check your "
     "AWS Secret Access Key and signing method. Consult the service documentation for details."},
    {ErrorCode::kUnrecognizedClientException,
     "The security token included in the request is invalid."},
    {ErrorCode::kExpiredTokenException, "The security token included in the request is expired"},
    {ErrorCode::kThrottlingException, "Rate exceeded"},
    {ErrorCode::kConditionalCheckFailedException, "The conditional request failed"},
    {ErrorCode::kResourceNotFoundException, "Requested resource not found"},
    {ErrorCode::kLimitExceededException, "Too many operations for a given subscriber."},
    {ErrorCode::kItemCollectionSizeLimitExceededException, "Collection size exceeded."},
    {ErrorCode::kTransactionConflictException, "Transaction is ongoing for the item"},
    {ErrorCode::kReplicatedWriteConflictException,
     "One or more items in this request are being modified by a request in another Region."},
    {ErrorCode::kDuplicateItemException, "Duplicate primary key exists in table"},
    {ErrorCode::kIdempotentParameterMismatchException,
     "The request uses the same client token as a previous, but non-identical request. Do not "
     "reuse a client token with different requests, unless the requests are identical"},
    {ErrorCode::kTransactionInProgressException,
     "Transaction from previous request is still in progress"},
    {ErrorCode::kExpiredIteratorException, "Shard iterator has expired"},
    {ErrorCode::kTrimmedDataAccessException,
     "The operation attempted to read past the oldest stream record in a shard."},
    {ErrorCode::kInternalServerError, "Internal server error"},
};

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
    case ErrorCode::kProvisionedThroughputExceededException:
    case ErrorCode::kRequestLimitExceeded:
      return Error{code, std::string(ThrottlingText(code, {})), nullptr};
    default: {
      const auto* const row = std::ranges::find(kUsualTexts, code, &UsualText::code);
      const bool has_text = row != std::end(kUsualTexts);
      return Error{code, std::string(has_text ? row->text : std::string_view()), nullptr};
    }
  }
}

using Kind = FaultAction::Kind;

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
      access.table->indexes, [](const IndexVersion& index) { return index.schema.is_global(); });
  return global == access.table->indexes.end() ? nullptr : &*global;
}

bool CanThrottle(const ThrottlingReason& reason, const Access& access) {
  if (reason.is_write == Access::IsRead(access.kind)) return false;
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
