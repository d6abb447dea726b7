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

// Returns whether a GrowthLimit has refused the action. The whole transaction fails then, whatever
// the other actions say.
bool IsFailureOfServer(const WriteOutcome& outcome) {
  return outcome.error && outcome.error->code == ErrorCode::kInternalServerError;
}

// Commits all actions at once. Looks the tables up and tries again when one of them has changed.
// `token` makes the record of the transaction's token; null: it has none.
Result<std::vector<WriteOutcome>> CommitAll(Context& context, const TransactionCommit& commit,
                                            const MakeTokenRecord* token) {
  const GrowthLimit growth(context);
  for (;;) {
    const std::vector<Access> accesses = AccessesOfActions(context, commit.actions);
    if (auto refused = EnterAll(context, accesses)) return *std::move(refused);
    std::vector<ActionFunction> functions;
    std::vector<ItemWrite> writes;
    functions.reserve(commit.actions.size());
    for (const TransactionAction& action : commit.actions) {
      functions.push_back({action, growth, context.arena});
      writes.push_back({{action.table.get(), action.position}, functions.back()});
    }
    std::vector<WriteOutcome> outcomes(commit.actions.size());
    const CommitResult result = context.engine.Commit(writes, outcomes, context.arena, token);
    if (result == CommitResult::kCommitted) return outcomes;
    if (result == CommitResult::kRefused) {
      const auto failure = std::ranges::find_if(outcomes, IsFailureOfServer);
      if (failure != outcomes.end()) {
        for (const Access& access : accesses) context.Leave(access, {});
        return *std::move(failure->error);
      }
      LeaveRefused(context, accesses, outcomes);
      return CancellationError(commit.actions, outcomes);
    }
    for (const Access& access : accesses) context.Leave(access, {.is_retried = true});
    HR_RETURN_IF_ERROR(commit.locate());
  }
}

// Sets `*ids` to the ids of the tables that the actions use, each once.
void SetDistinctTableIds(std::span<const TransactionAction> actions,
                         std::vector<std::uint64_t>* ids) {
  ids->clear();
  for (const TransactionAction& action : actions) {
    const std::uint64_t id = action.table->table->id();
    if (std::ranges::find(*ids, id) == ids->end()) ids->push_back(id);
  }
}

// A token that is reserved for this request. The destructor releases the token unless the request
// succeeded.
class TokenReservation {
 public:
  TokenReservation(const Context& context, const TransactionCommit& commit)
      : tokens_(commit.token ? context.engine.catalog().TokensOf(context.account) : nullptr),
        account_(context.account),
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
    digest_ = digest();
    const auto state = tokens_->Begin(api_, token_, digest_, now_ms, size_bytes);
    is_reserved_ = state == IdempotencyTokens::State::kNew;
    if (is_reserved_) {
      completed_.size_bytes.reserve(actions_.size());
      completed_.tables.reserve(actions_.size());
    }
    return state;
  }
  bool is_reserved() const { return is_reserved_; }
  // Returns what is stored of the token when it is completed at `now_ms`.
  TokenRecord Record(std::int64_t now_ms, std::span<const WriteOutcome> outcomes) {
    SetCompleted(outcomes);
    return {.account_id = std::string(account_.account_id),
            .region = std::string(account_.region),
            .token = IdempotencyTokens::DigestOf(api_, token_),
            .request = digest_,
            .expiry_epoch_ms = now_ms + IdempotencyTokens::kLifetimeMs,
            .completed = completed_};
  }
  // Is to be called when the transaction is committed: from now on the token, if there is one,
  // stands for its outcome. Takes memory that the commit has drawn.
  void Complete(std::int64_t now_ms, std::span<const WriteOutcome> outcomes) {
    if (is_reserved_) {
      SetCompleted(outcomes);
      tokens_->Complete(api_, token_, now_ms, completed_);
    }
    is_reserved_ = false;
  }

 private:
  // Does not allocate: Begin has made room.
  void SetCompleted(std::span<const WriteOutcome> outcomes) {
    SetLargerSizes(outcomes, &completed_.size_bytes);
    SetDistinctTableIds(actions_, &completed_.tables);
  }

  const std::shared_ptr<IdempotencyTokens> tokens_;
  const AccountName account_;
  const std::span<const TransactionAction> actions_;
  const IdempotencyTokens::Api api_;
  const std::string_view token_;
  RequestDigest digest_ = {};
  bool is_reserved_ = false;
  CompletedRequest completed_;
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
  const auto make_record = [&](std::span<const WriteOutcome> outcomes) {
    return reservation.Record(clock.NowEpochMs(), outcomes);
  };
  const MakeTokenRecord token = make_record;
  HR_ASSIGN(const auto outcomes,
            CommitAll(context, commit, reservation.is_reserved() ? &token : nullptr));
  reservation.Complete(clock.NowEpochMs(), outcomes);
  std::vector<CapacityMeter> meters;
  if (commit.capacity != ReturnConsumedCapacity::kNone || context.gate) {
    meters = ChargeTransaction(context, commit.actions, outcomes);
  }
  commit.write(meters, CapacityTwin::kWrite);
  return {};
}

}  // namespace hashrange
