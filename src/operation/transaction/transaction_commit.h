// The commit of a write transaction, whatever its actions were written as: one commit of all of
// them, once for each client request token (docs/service/10-transactions.md, sections 5 and 6).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "engine/idempotency_tokens.h"
#include "operation/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/transaction/transaction_action.h"

namespace hashrange {

inline constexpr std::size_t kMaxTransactionPayloadBytes = 4 << 20;
// "Transaction payload size cannot exceed 4194304 bytes"
Error PayloadTooLarge();

struct TransactionCommit {
  std::span<TransactionAction> actions;  // each has its table and position
  std::optional<std::string_view> token;
  IdempotencyTokens::Api api;
  ReturnConsumedCapacity capacity;
  // What the token stands for.
  absl::FunctionRef<RequestDigest()> digest;
  // Gives the actions their tables and positions again, once a table has changed.
  absl::FunctionRef<Status()> locate;
  // Answers: in write units, or of a token used before in read units.
  absl::FunctionRef<void(std::span<const CapacityMeter>, CapacityTwin)> write;
};

// Runs the transaction, or answers as its first execution did.
// Errors: TransactionCanceledException, IdempotentParameterMismatchException,
//         TransactionInProgressException; what `locate` and the gate say
Status RunTransaction(Context& context, const TransactionCommit& commit);

}  // namespace hashrange
