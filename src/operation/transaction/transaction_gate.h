// A transaction at the gate: the gate admits all of its accesses, or the transaction is cancelled
// and its reasons say which accesses were refused (docs/service/10-transactions.md, section 5).
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

// Asks the gate to admit every access. Returns the transaction's error when it refuses one.
// Errors: TransactionCanceledException  an access is throttled or in conflict
//         any other error of the gate
std::optional<Error> EnterAll(const Context& context, std::span<const Access> accesses);

// The commit refused the transaction: reports to the gate what was read for each action, which is
// charged.
void LeaveRefused(const Context& context, std::span<const Access> accesses,
                  std::span<const WriteOutcome> outcomes);

}  // namespace hashrange
