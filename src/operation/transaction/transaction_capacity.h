// What a transaction costs, by table (docs/service/10-transactions.md, section 8), and the small
// facts about its actions that need.
#pragma once

#include <span>
#include <vector>

#include "operation/parameter/consumed_capacity.h"
#include "operation/transaction/transaction_action.h"

namespace hashrange {

// The tables of the actions, each once, in the order of the request.
std::vector<const TableVersion*> DistinctTables(std::span<const TransactionAction> actions);

// What an action adds to the payload: items, keys, expressions and their values.
std::size_t PayloadBytes(const TransactionAction& action);

// Meters of a committed transaction; tells the gate.
std::vector<CapacityMeter> WriteMeters(const Context& context,
                                       std::span<const TransactionAction> actions,
                                       std::span<const WriteOutcome> outcomes);

// Of each action the larger of its images' sizes, for a replay.
std::vector<std::uint32_t> LargerSizes(std::span<const WriteOutcome> outcomes);
std::vector<CapacityMeter> ReplayMeters(std::span<const TransactionAction> actions,
                                        std::span<const std::uint32_t> size_bytes, Arena& arena);

}  // namespace hashrange
