#include "operation/transaction/transaction_rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "operation/parameter/item_key.h"

namespace hashrange {
namespace {

// Returns the code of the cancellation reason for an access that the gate refuses with this error.
// Empty: the error is one of the whole request.
std::string_view CancellationCode(ErrorCode code) {
  struct Row {
    ErrorCode code;
    std::string_view name;
  };
  static constexpr Row kRows[] = {
      {ErrorCode::kProvisionedThroughputExceededException, "ProvisionedThroughputExceeded"},
      {ErrorCode::kThrottlingException, "ThrottlingError"},
      {ErrorCode::kRequestLimitExceeded, "ThrottlingError"},
      {ErrorCode::kTransactionConflictException, "TransactionConflict"},
      {ErrorCode::kItemCollectionSizeLimitExceededException, "ItemCollectionSizeLimitExceeded"},
      {ErrorCode::kConditionalCheckFailedException, "ConditionalCheckFailed"},
      {ErrorCode::kDuplicateItemException, "DuplicateItem"},
  };
  const auto row = std::ranges::find(kRows, code, &Row::code);
  return row == std::end(kRows) ? std::string_view() : row->name;
}

}  // namespace

void CancellationReasons::Add(std::size_t i, std::string_view code, std::string message) {
  reasons_[i] = {std::string(code), std::move(message), {}};
  is_cancelled_ = true;
}

void CancellationReasons::AddFirst(std::size_t i, std::string message) {
  if (!is_cancelled_) Add(i, "ValidationError", std::move(message));
}

Status CancellationReasons::Finish() && {
  return is_cancelled_ ? Status(TransactionCanceled(std::move(reasons_))) : Status();
}

Status CheckNoItemTwice(std::span<const ItemAddress> addresses, Arena& arena) {
  if (!HasDuplicateAddresses(addresses, arena)) return {};
  return ValidationError("Transaction request cannot include multiple operations on one item");
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

}  // namespace hashrange
