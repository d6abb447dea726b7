// The capacity that a write transaction consumes, by table (docs/service/10-transactions.md,
// section 8), and the sizes and tables of its actions. The request's thread calls
// ChargeTransaction and ChargeReplay; the other functions are pure, and any thread may call them.
#pragma once

#include <span>
#include <vector>

#include "operation/parameter/consumed_capacity.h"
#include "operation/transaction/transaction_action.h"

namespace hashrange {

// Returns the tables of the actions, each once, in the order of the request.
std::vector<const TableVersion*> DistinctTables(std::span<const TransactionAction> actions);

// Returns the bytes that an action adds to the payload: those of its item or key, of its
// expressions, and of the placeholders with the names and values for which they stand.
std::size_t PayloadBytes(const TransactionAction& action);

// Returns the meters of a committed transaction, one for each table. Also makes the access of each
// action leave the gate with its usage.
std::vector<CapacityMeter> ChargeTransaction(const Context& context,
                                             std::span<const TransactionAction> actions,
                                             std::span<const WriteOutcome> outcomes);

// Sets `*size_bytes` to the size of each action's item before or after the write, whichever is
// larger. A replay is charged for these sizes. Cost: no allocation if the vector has room.
void SetLargerSizes(std::span<const WriteOutcome> outcomes, std::vector<std::uint32_t>* size_bytes);
// Returns the meters of a replay: it is charged a transactional read for each of `size_bytes`,
// which are the sizes that SetLargerSizes found for the commit. Also reports each read to the gate,
// which the replay does not enter.
std::vector<CapacityMeter> ChargeReplay(const Context& context,
                                        std::span<const TransactionAction> actions,
                                        std::span<const std::uint32_t> size_bytes);

}  // namespace hashrange
