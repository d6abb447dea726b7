#include "operation/transaction/transaction_gate.h"

#include <algorithm>
#include <string>

#include "operation/parameter/access_usage.h"
#include "operation/parameter/consumed_capacity.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

// Returns the code of the cancellation reason for an access that the gate refuses with this error.
// Empty: the error is that of the whole request.
std::string_view CancellationCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kProvisionedThroughputExceededException:
      return "ProvisionedThroughputExceeded";
    case ErrorCode::kThrottlingException:
    case ErrorCode::kRequestLimitExceeded:
      return "ThrottlingError";
    case ErrorCode::kTransactionConflictException:
      return "TransactionConflict";
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kConditionalCheckFailedException:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItemException:
      return "DuplicateItem";
    default:
      return {};
  }
}

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

}  // namespace

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

std::optional<Error> EnterAll(const Context& context, std::span<const Access> accesses) {
  if (!context.gate) return std::nullopt;
  std::vector<std::optional<Error>> refusals;
  for (const Access& access : accesses) refusals.push_back(context.Enter(access));
  if (std::ranges::none_of(refusals, [](const auto& refusal) { return refusal.has_value(); })) {
    return std::nullopt;
  }
  std::vector<CancellationReason> reasons(accesses.size());
  std::optional<Error> whole;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (!refusals[i]) continue;
    reasons[i] = {std::string(CancellationCode(refusals[i]->code)), refusals[i]->message, {}};
    if (reasons[i].code.empty() && !whole) whole = std::move(refusals[i]);
  }
  return whole ? *std::move(whole) : TransactionCanceled(std::move(reasons));
}

void LeaveRefused(const Context& context, std::span<const Access> accesses,
                  std::span<const WriteOutcome> outcomes) {
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const ItemView stored(accesses[i].table->key, outcomes[i].before.get());
    const Error* const failure = outcomes[i].error ? &*outcomes[i].error : nullptr;
    context.Leave(accesses[i],
                  UsageOfRefusal(stored.size_bytes(), kTransactionFactor, stored, failure));
  }
}

}  // namespace hashrange
