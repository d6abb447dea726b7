// A transaction at the gate: all of its accesses are let in, or it is cancelled and the
// reasons say which of them were refused (docs/service/10-transactions.md, section 5).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "operation/context.h"
#include "operation/transaction/transaction_action.h"

namespace hashrange {

Access AccessOfAction(const TransactionAction& action);
std::vector<Access> AccessesOfActions(std::span<const TransactionAction> actions);

// Asks for every access; when one is refused, so is the transaction.
// Errors: TransactionCanceledException  throttled, or in conflict; or what else the gate says
std::optional<Error> EnterAll(const Context& context, std::span<const Access> accesses);

// The transaction was refused: each action is charged for what was read.
void LeaveRefused(const Context& context, std::span<const Access> accesses,
                  std::span<const WriteOutcome> outcomes);

}  // namespace hashrange
