// A transaction at the gate: the gate admits all of its accesses, or the transaction is cancelled
// and its reasons say which accesses were refused (docs/service/10-transactions.md, section 5).
// Called by the request's thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "operation/call/context.h"
#include "operation/transaction/transaction_action.h"

namespace hashrange {

// Returns the access of an action, without its terms. `member`: Access::member.
Access AccessOfAction(const TransactionAction& action, std::size_t member);
// Returns the accesses of all actions, with their terms; none without a gate.
std::vector<Access> AccessesOfActions(const Context& context,
                                      std::span<const TransactionAction> actions);

// Asks the gate to admit every access. Returns nullopt when the gate admits all of them, otherwise
// the error of the transaction.
// Errors: TransactionCanceledException  every refusal has the code of a cancellation reason
//         any other error of the gate
std::optional<Error> EnterAll(const Context& context, std::span<const Access> accesses);

// Makes all accesses leave the gate after the commit has refused the transaction. Each action is
// charged for the stored item that was read, as for a write (docs/service/08-capacity.md,
// section 2).
void LeaveRefused(const Context& context, std::span<const Access> accesses,
                  std::span<const WriteOutcome> outcomes);

}  // namespace hashrange
