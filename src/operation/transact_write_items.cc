// TransactWriteItems (reference 10).
#include <algorithm>
#include <string>
#include <vector>

#include "operation/consumed_capacity.h"
#include "operation/duplicate_keys.h"
#include "operation/item_collection_metrics.h"
#include "operation/item_key.h"
#include "operation/operations.h"
#include "operation/return_values.h"
#include "operation/table_lookup.h"
#include "operation/transaction_action.h"
#include "operation/transaction_capacity.h"
#include "operation/transaction_gate.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxPayloadBytes = 4 << 20;

struct TransactWriteItemsRequest {
  std::span<const JsonValue> entries;
  std::optional<std::string_view> token;
  ReturnConsumedCapacity capacity;
  bool metrics;
  std::vector<TransactionAction> actions;
};

TransactWriteItemsRequest Read(const RequestObject& request) {
  return {.entries = request.List("TransactItems"),
          .token = request.String("ClientRequestToken"),
          .capacity = ReadReturnConsumedCapacity(request),
          .metrics = ReadReturnItemCollectionMetrics(request),
          .actions = {}};
}

// Steps 2 of reference 10, section 3: every action in itself, and their sum.
Status ReadActions(Context& context, TransactWriteItemsRequest* request) {
  std::size_t payload_bytes = 0;
  for (const JsonValue& entry : request->entries) {
    HR_ASSIGN(TransactionAction action, ReadTransactionAction(RequestObject(entry), context));
    payload_bytes += PayloadBytes(action);
    request->actions.push_back(std::move(action));
  }
  if (payload_bytes > kMaxPayloadBytes) {
    return ValidationError("Transaction payload size cannot exceed 4194304 bytes");
  }
  return {};
}

// Step 4: the first action that does not fit its table's schema cancels the transaction.
Status CheckSchemas(std::span<const TransactionAction> actions) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    Status status = CheckActionSchema(actions[i]);
    if (status.ok()) continue;
    std::vector<CancellationReason> reasons(actions.size());
    reasons[i] = {"ValidationError", std::move(status).error().message, {}};
    return TransactionCanceled(std::move(reasons));
  }
  return {};
}

// Steps 3 and 4: tables, empty keys, duplicate targets, schemas; leaves every action with
// its table and position.
Status Locate(Context& context, std::span<TransactionAction> actions) {
  const TransactionAction* before = nullptr;
  for (TransactionAction& action : actions) {
    if (before && action.table_name == before->table_name) {
      action.table = before->table;
    } else {
      HR_ASSIGN(action.table, FindTable(context, action.table_name));
    }
    before = &action;
  }
  for (const TransactionAction& action : actions) HR_RETURN_IF_ERROR(CheckActionValues(action));
  std::vector<ItemAddress> addresses;
  for (TransactionAction& action : actions) {
    if (!HasKey(action)) continue;
    action.position = PositionOf(action.table->key, action.attributes, context.arena);
    addresses.push_back({action.table.get(), action.position});
  }
  if (HasDuplicateAddresses(addresses, context.arena)) {
    return ValidationError("Transaction request cannot include multiple operations on one item");
  }
  return CheckSchemas(actions);
}

// What cancelled the transaction: each action that was refused as it ran says why (step 5;
// only a problem of step 4 stands alone).
Error CancellationOf(std::span<const TransactionAction> actions,
                     std::span<const WriteOutcome> outcomes) {
  std::vector<CancellationReason> reasons(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!outcomes[i].error) continue;
    if (outcomes[i].error->code == ErrorCode::kValidationException) {
      reasons[i] = {"ValidationError", outcomes[i].error->message, {}};
      continue;
    }
    reasons[i] = {"ConditionalCheckFailed", std::string(kConditionFailed), {}};
    if (actions[i].old_on_condition_failure) {
      reasons[i].item_json = ItemJson({actions[i].table->key, outcomes[i].before.get()});
    }
  }
  return TransactionCanceled(std::move(reasons));
}

// One commit of all actions; starts again at the look-up when a table has changed.
Result<std::vector<WriteOutcome>> CommitAll(Context& context,
                                            std::span<TransactionAction> actions) {
  for (;;) {
    const std::vector<Access> accesses = AccessesOf(actions);
    if (auto refused = EnterAll(context, accesses)) return *std::move(refused);
    std::vector<ActionFunction> functions;
    std::vector<ItemWrite> writes;
    functions.reserve(actions.size());
    for (const TransactionAction& action : actions) {
      functions.push_back({action, context.arena});
      writes.push_back({{action.table.get(), action.position}, functions.back()});
    }
    std::vector<WriteOutcome> outcomes(actions.size());
    const CommitResult result = context.engine.Commit(writes, outcomes, context.arena);
    if (result == CommitResult::kCommitted) return outcomes;
    if (result == CommitResult::kRefused) {
      LeaveRefused(context, accesses, outcomes);
      return CancellationOf(actions, outcomes);
    }
    for (const Access& access : accesses) context.Leave(access, 0);
    HR_RETURN_IF_ERROR(Locate(context, actions));
  }
}

// The tables with a local index that the transaction wrote to.
std::vector<const TableVersion*> TablesWithMetrics(std::span<const TransactionAction> actions) {
  std::vector<const TableVersion*> tables = DistinctTables(actions);
  std::erase_if(tables, [&](const TableVersion* table) {
    return !HasLocalIndex(*table) || std::ranges::none_of(actions, [&](const auto& action) {
      return action.table.get() == table && Writes(action);
    });
  });
  return tables;
}

void WriteMetrics(const TransactWriteItemsRequest& request, JsonWriter& answer) {
  if (!request.metrics) return;
  const std::vector<const TableVersion*> tables = TablesWithMetrics(request.actions);
  if (tables.empty()) return;
  answer.Name("ItemCollectionMetrics");
  answer.BeginObject();
  for (const TableVersion* table : tables) {
    answer.Name(table->name);
    answer.BeginArray();
    const std::string& hash = table->key.hash[0].name;
    for (const TransactionAction& action : request.actions) {
      if (action.table.get() != table || !Writes(action)) continue;
      WriteItemCollectionMetrics(hash, *FindAttribute(action.attributes, hash), answer);
    }
    answer.EndArray();
  }
  answer.EndObject();
}

void Write(const TransactWriteItemsRequest& request, std::span<const CapacityMeter> meters,
           CapacityTwin twin, JsonWriter& answer) {
  answer.BeginObject();
  WriteConsumedCapacityList(meters, request.capacity, twin, answer);
  if (twin == CapacityTwin::kWrite) WriteMetrics(request, answer);
  answer.EndObject();
}

// A token reserved for this request, which gives it back unless the request succeeds.
class TokenReservation {
 public:
  TokenReservation(const Context& context, const std::optional<std::string_view>& token)
      : tokens_(token ? context.engine.catalog().TokensOf(context.account) : nullptr),
        token_(token.value_or("")) {}
  TokenReservation(const TokenReservation&) = delete;
  TokenReservation& operator=(const TokenReservation&) = delete;
  ~TokenReservation() {
    if (is_open_) tokens_->Abandon(kApi, token_);
  }

  // Without a token every request is new.
  IdempotencyTokens::State Begin(std::span<const TransactionAction> actions, std::int64_t now_ms,
                                 std::vector<std::uint32_t>* size_bytes) {
    if (!tokens_) return IdempotencyTokens::State::kNew;
    const auto state = tokens_->Begin(kApi, token_, DigestOf(actions), now_ms, size_bytes);
    is_open_ = state == IdempotencyTokens::State::kNew;
    return state;
  }
  void Complete(std::int64_t now_ms, std::span<const WriteOutcome> outcomes) {
    if (is_open_) tokens_->Complete(kApi, token_, now_ms, LargerSizes(outcomes));
    is_open_ = false;
  }

 private:
  static constexpr auto kApi = IdempotencyTokens::Api::kTransactWriteItems;

  IdempotencyTokens* const tokens_;
  const std::string_view token_;
  bool is_open_ = false;
};

// Runs the request, or answers as its first execution did when its token was used before.
Status RunWithToken(Context& context, TransactWriteItemsRequest* request, JsonWriter& answer) {
  const Clock& clock = context.engine.clock();
  TokenReservation reservation(context, request->token);
  std::vector<std::uint32_t> sizes;
  switch (reservation.Begin(request->actions, clock.NowEpochMs(), &sizes)) {
    case IdempotencyTokens::State::kNew:
      break;
    case IdempotencyTokens::State::kReplay:
      Write(*request, ReplayMeters(request->actions, sizes, context.arena), CapacityTwin::kRead,
            answer);
      return {};
    case IdempotencyTokens::State::kInProgress:
      return Error{ErrorCode::kTransactionInProgressException,
                   "The transaction with the given request token is already in progress.", nullptr};
    case IdempotencyTokens::State::kMismatch:
      return Error{ErrorCode::kIdempotentParameterMismatchException,
                   "The request uses the same client token as a previous, but non-identical "
                   "request. Do not reuse a client token with different requests, unless the "
                   "requests are identical",
                   nullptr};
  }
  HR_ASSIGN(const auto outcomes, CommitAll(context, request->actions));
  reservation.Complete(clock.NowEpochMs(), outcomes);
  std::vector<CapacityMeter> meters;
  if (request->capacity != ReturnConsumedCapacity::kNone || context.gate) {
    meters = WriteMeters(context, request->actions, outcomes);
  }
  Write(*request, meters, CapacityTwin::kWrite, answer);
  return {};
}

}  // namespace

Status TransactWriteItems(Context& context, const RequestObject& json, JsonWriter& answer) {
  TransactWriteItemsRequest request = Read(json);
  HR_RETURN_IF_ERROR(ReadActions(context, &request));
  HR_RETURN_IF_ERROR(Locate(context, request.actions));
  return RunWithToken(context, &request, answer);
}

}  // namespace hashrange
