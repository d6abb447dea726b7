// The items of a read transaction, all read at one instant; shared by TransactGetItems and
// ExecuteTransaction (docs/service/10-transactions.md).
#pragma once

#include <span>

#include "base/result.h"
#include "engine/engine.h"
#include "operation/context.h"
#include "operation/parameter/consumed_capacity.h"

namespace hashrange {

struct TransactionRead {
  TableRef table;
  Position position;
  ItemRef item;  // what was found
};

// Passes the gate, which may cancel the transaction, and reads.
// Errors: TransactionCanceledException; ValidationException  the items are too large together
Status ReadTogether(Context& context, std::span<TransactionRead> reads);

// The member ConsumedCapacity, when it is asked for; tells the gate.
void WriteReadCapacity(Context& context, ReturnConsumedCapacity capacity,
                       std::span<const TransactionRead> reads, JsonWriter& answer);

}  // namespace hashrange
