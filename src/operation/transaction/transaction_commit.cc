#include "operation/transaction/transaction_commit.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/table.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/return_values.h"
#include "operation/transaction/transaction_action.h"
#include "operation/transaction/transaction_rules.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

WriteKind WriteKindOf(TransactionAction::Kind kind) {
  switch (kind) {
    case TransactionAction::Kind::kUpdate:
      return WriteKind::kUpdate;
    case TransactionAction::Kind::kDelete:
      return WriteKind::kDelete;
    default:
      return WriteKind::kPut;
  }
}

// Returns the access of an action, without its terms. `member`: Access::member.
Access AccessOfAction(const TransactionAction& action, std::size_t member) {
  return {.kind = Writes(action) ? Access::Kind::kWrite : Access::Kind::kConditionCheck,
          .table = action.table.get(),
          .key = action.position,
          .in_transaction = true,
          .attributes = action.kind == TransactionAction::Kind::kDelete
                            ? std::span<const Attribute>()
                            : action.attributes,
          .write_kind = WriteKindOf(action.kind),
          .member = static_cast<std::uint32_t>(member)};
}

// Returns the accesses of all actions, with their terms; none without a gate.
std::vector<Access> AccessesOfActions(const Context& context,
                                      std::span<const TransactionAction> actions) {
  std::vector<Access> accesses;
  if (!context.gate) return accesses;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const TransactionAction& action = actions[i];
    accesses.push_back(AccessOfAction(action, i));
    AccessTerms terms{.condition = action.bound.condition, .existence = action.existence};
    if (action.kind == TransactionAction::Kind::kUpdate) {
      terms.update = context.arena.New<Update>(action.bound.update);
    }
    accesses.back().terms = context.Keep(terms);
  }
  return accesses;
}

// Makes all accesses leave the gate after the commit has refused the transaction. Each action is
// charged for the stored item that was read, as for a write (docs/service/08-capacity.md,
// section 2).
void LeaveRefused(const Context& context, std::span<const Access> accesses,
                  std::span<const WriteOutcome> outcomes) {
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const ItemView stored(accesses[i].table->key, outcomes[i].before.get());
    const Error* const failure = outcomes[i].error ? &*outcomes[i].error : nullptr;
    context.Leave(accesses[i], UsageOfRefusal(WrittenSizeBytes(*accesses[i].table, stored),
                                              kTransactionFactor, stored, failure));
  }
}

// Returns the meters of a committed transaction, one for each table
// (docs/service/10-transactions.md, section 8). Also makes the access of each action leave the gate
// with its usage.
std::vector<CapacityMeter> ChargeTransaction(const Context& context,
                                             std::span<const TransactionAction> actions,
                                             std::span<const WriteOutcome> outcomes) {
  std::vector<CapacityMeter> meters;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    CapacityMeter& meter =
        MeterOf(*actions[i].table, actions[i].table_name, context.arena, &meters);
    const KeySchema& key = actions[i].table->key;
    const ItemView before(key, outcomes[i].before.get()), after(key, outcomes[i].after.get());
    CapacityMeter of_action(*actions[i].table, actions[i].table_name, context.arena);
    of_action.AddWrite(before, after, kTransactionFactor);
    meter.Add(of_action);
    if (!context.gate) continue;
    context.Leave(AccessOfAction(actions[i], i),
                  Writes(actions[i]) ? UsageOfWrite(of_action, before, after, context.arena)
                                     : UsageOfConditionCheck(of_action, before));
  }
  return meters;
}

// Sets `*size_bytes` to the size of each action's item before or after the write, whichever is
// larger. A replay is charged for these sizes. Cost: no allocation if the vector has room.
void SetLargerSizes(std::span<const WriteOutcome> outcomes,
                    std::vector<std::uint32_t>* size_bytes) {
  size_bytes->clear();
  for (const WriteOutcome& outcome : outcomes) {
    const std::uint32_t before = outcome.before ? outcome.before->size_bytes() : 0;
    const std::uint32_t after = outcome.after ? outcome.after->size_bytes() : 0;
    size_bytes->push_back(std::max(before, after));
  }
}

// Returns the meters of a replay: it is charged a transactional read for each of `size_bytes`,
// which are the sizes that SetLargerSizes found for the commit. Also reports each read to the gate,
// which the replay does not enter.
std::vector<CapacityMeter> ChargeReplay(const Context& context,
                                        std::span<const TransactionAction> actions,
                                        std::span<const std::uint32_t> size_bytes) {
  std::vector<CapacityMeter> meters;
  const std::vector<Access> accesses = AccessesOfActions(context, actions);
  for (std::size_t i = 0; i < actions.size() && i < size_bytes.size(); ++i) {
    CapacityMeter& meter =
        MeterOf(*actions[i].table, actions[i].table_name, context.arena, &meters);
    const double before = meter.total();
    meter.AddItemRead(size_bytes[i], kTransactionFactor);
    if (!context.gate) continue;
    context.Charge({.table = actions[i].table.get(),
                    .key = actions[i].position,
                    .in_transaction = true,
                    .member = static_cast<std::uint32_t>(i)},
                   {.units = meter.total() - before, .replayed = &accesses[i]});
  }
  return meters;
}

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

// The function that the commit calls: DecideAction, with only the stored item as its argument.
struct ActionFunction {
  const TransactionAction& action;
  const GrowthLimit& growth;
  Arena& arena;
  Decision operator()(ItemView before) const {
    return growth.Check(*action.table, before, DecideAction(action, before, arena));
  }
};

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
