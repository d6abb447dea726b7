// The items of a read transaction, all read at one instant; shared by TransactGetItems and
// ExecuteTransaction (docs/service/10-transactions.md). Called by the request's thread.
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
  ItemRef item;  // null: no item is stored
};

// Reads the items of all `reads`, unless the gate refuses one of them.
// Errors: TransactionCanceledException  the gate refuses an access
//         ValidationException           the items together are larger than 4 MB
//         any other error of the gate
Status ReadTogether(Context& context, std::span<TransactionRead> reads);

// Writes the member ConsumedCapacity if the request asks for it. Also makes the access of each read
// leave the gate with its usage.
void WriteCapacityOfReads(Context& context, ReturnConsumedCapacity capacity,
                          std::span<const TransactionRead> reads, JsonWriter& answer);

}  // namespace hashrange
