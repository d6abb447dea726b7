// The commit of a write transaction of TransactWriteItems or ExecuteTransaction: all actions are
// committed at once, and only once for each client request token (docs/service/10-transactions.md,
// sections 5 and 6). Called by the request's thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "engine/idempotency_tokens.h"
#include "operation/call/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/transaction/transaction_action.h"

namespace hashrange {

inline constexpr std::size_t kMaxTransactionPayloadBytes = 4 << 20;
// Returns ValidationException "Transaction payload size cannot exceed 4194304 bytes".
Error PayloadTooLarge();

struct TransactionCommit {
  std::span<TransactionAction> actions;  // each has its table and position
  std::optional<std::string_view> token;
  IdempotencyTokens::Api api;
  ReturnConsumedCapacity capacity;
  // Returns the digest of what the token stands for.
  absl::FunctionRef<RequestDigest()> digest;
  // Gives the actions their tables and positions anew, after a table has changed.
  absl::FunctionRef<Status()> locate;
  // Writes the answer. The meters count write units, or read units when the token was used before.
  absl::FunctionRef<void(std::span<const CapacityMeter>, CapacityTwin)> write;
};

// Runs the transaction, or only writes the answer when its token was used before.
// Errors: TransactionCanceledException  an action is refused, by the commit or by the gate
//         IdempotentParameterMismatchException  the token was used for a different request
//         TransactionInProgressException  another request with the token is still running
//         any error of `locate`, and an error with which the gate refuses the whole request
Status RunTransaction(Context& context, const TransactionCommit& commit);

}  // namespace hashrange
