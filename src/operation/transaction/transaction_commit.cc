#include "operation/transaction/transaction_commit.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/table.h"
#include "operation/parameter/return_values.h"
#include "operation/transaction/transaction_capacity.h"
#include "operation/transaction/transaction_gate.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

// Returns why the commit refused this action.
CancellationReason RefusalReason(const TransactionAction& action, const WriteOutcome& outcome) {
  switch (outcome.error->code) {
    case ErrorCode::kValidationException:
      return {"ValidationError", outcome.error->message, {}};
    case ErrorCode::kDuplicateItemException:
      return {"DuplicateItem", outcome.error->message, {}};
    default:
      break;
  }
  CancellationReason reason{"ConditionalCheckFailed", std::string(kConditionFailed), {}};
  if (action.old_on_condition_failure) {
    reason.item_json = ItemJson({action.table->key, outcome.before.get()});
  }
  return reason;
}

// Returns the error with a reason for each action that the commit refused
// (docs/service/10-transactions.md, section 3, step 5). A failure in step 4 has a reason for one
// action only.
Error CancellationError(std::span<const TransactionAction> actions,
                        std::span<const WriteOutcome> outcomes) {
  std::vector<CancellationReason> reasons(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (outcomes[i].error) reasons[i] = RefusalReason(actions[i], outcomes[i]);
  }
  return TransactionCanceled(std::move(reasons));
}

// Commits all actions at once. Looks the tables up and tries again when one of them has changed.
Result<std::vector<WriteOutcome>> CommitAll(Context& context, const TransactionCommit& commit) {
  for (;;) {
    const std::vector<Access> accesses = AccessesOfActions(context, commit.actions);
    if (auto refused = EnterAll(context, accesses)) return *std::move(refused);
    std::vector<ActionFunction> functions;
    std::vector<ItemWrite> writes;
    functions.reserve(commit.actions.size());
    for (const TransactionAction& action : commit.actions) {
      functions.push_back({action, context.arena});
      writes.push_back({{action.table.get(), action.position}, functions.back()});
    }
    std::vector<WriteOutcome> outcomes(commit.actions.size());
    const CommitResult result = context.engine.Commit(writes, outcomes, context.arena);
    if (result == CommitResult::kCommitted) return outcomes;
    if (result == CommitResult::kRefused) {
      LeaveRefused(context, accesses, outcomes);
      return CancellationError(commit.actions, outcomes);
    }
    for (const Access& access : accesses) context.Leave(access, {.is_retried = true});
    HR_RETURN_IF_ERROR(commit.locate());
  }
}

// Returns the ids of the tables that the actions use, each once.
IdempotencyTokens::TableIds DistinctTableIds(std::span<const TransactionAction> actions) {
  IdempotencyTokens::TableIds ids;
  for (const TransactionAction& action : actions) {
    const std::uint64_t id = action.table->table->id();
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

// A token that is reserved for this request. The destructor releases the token unless the request
// succeeded.
class TokenReservation {
 public:
  TokenReservation(const Context& context, const TransactionCommit& commit)
      : tokens_(commit.token ? context.engine.catalog().TokensOf(context.account) : nullptr),
        actions_(commit.actions),
        api_(commit.api),
        token_(commit.token.value_or("")) {}
  TokenReservation(const TokenReservation&) = delete;
  TokenReservation& operator=(const TokenReservation&) = delete;
  ~TokenReservation() {
    if (is_reserved_) tokens_->Abandon(api_, token_);
  }

  // Returns the state of the token. Reserves the token when the state is kNew, and sets
  // `*size_bytes` to the sizes for ChargeReplay when the state is kReplay. A request without a
  // token is always new.
  IdempotencyTokens::State Begin(absl::FunctionRef<RequestDigest()> digest, std::int64_t now_ms,
                                 std::vector<std::uint32_t>* size_bytes) {
    if (!tokens_) return IdempotencyTokens::State::kNew;
    const auto state = tokens_->Begin(api_, token_, digest(), now_ms, size_bytes);
    is_reserved_ = state == IdempotencyTokens::State::kNew;
    return state;
  }
  // Is to be called when the transaction is committed: from now on the token, if there is one,
  // stands for its outcome.
  void Complete(std::int64_t now_ms, std::span<const WriteOutcome> outcomes) {
    if (is_reserved_) {
      tokens_->Complete(api_, token_, now_ms, {LargerSizes(outcomes), DistinctTableIds(actions_)});
    }
    is_reserved_ = false;
  }

 private:
  const std::shared_ptr<IdempotencyTokens> tokens_;
  const std::span<const TransactionAction> actions_;
  const IdempotencyTokens::Api api_;
  const std::string_view token_;
  bool is_reserved_ = false;
};

}  // namespace

Error PayloadTooLarge() {
  return ValidationError("Transaction payload size cannot exceed 4194304 bytes");
}

Status RunTransaction(Context& context, const TransactionCommit& commit) {
  const Clock& clock = context.engine.clock();
  TokenReservation reservation(context, commit);
  std::vector<std::uint32_t> sizes;
  switch (reservation.Begin(commit.digest, clock.NowEpochMs(), &sizes)) {
    case IdempotencyTokens::State::kNew:
      break;
    case IdempotencyTokens::State::kReplay:
      commit.write(ChargeReplay(context, commit.actions, sizes), CapacityTwin::kRead);
      return {};
    case IdempotencyTokens::State::kInProgress:
      return Error{ErrorCode::kTransactionInProgressException,
                   "Transaction from previous request is still in progress", nullptr};
    case IdempotencyTokens::State::kMismatch:
      return Error{ErrorCode::kIdempotentParameterMismatchException,
                   "The request uses the same client token as a previous, but non-identical "
                   "request. Do not reuse a client token with different requests, unless the "
                   "requests are identical",
                   nullptr};
  }
  HR_ASSIGN(const auto outcomes, CommitAll(context, commit));
  reservation.Complete(clock.NowEpochMs(), outcomes);
  std::vector<CapacityMeter> meters;
  if (commit.capacity != ReturnConsumedCapacity::kNone || context.gate) {
    meters = ChargeTransaction(context, commit.actions, outcomes);
  }
  commit.write(meters, CapacityTwin::kWrite);
  return {};
}

}  // namespace hashrange
