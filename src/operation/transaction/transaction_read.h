// The items of a read transaction, all read at one instant; shared by TransactGetItems and
// ExecuteTransaction (docs/service/10-transactions.md). Called by the request's thread.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "engine/engine.h"
#include "operation/call/context.h"
#include "operation/parameter/consumed_capacity.h"

namespace hashrange {

struct TransactionRead {
  TableRef table;
  std::string_view table_name;  // as the request calls the table: its name or its ARN
  std::span<const Attribute> key;
  Position position;
  ItemRef item;           // null: no item is stored
  Projection projection;  // what the request asks of the item; for a SELECT, only its paths
};

// Reads the items of all `reads`, unless the gate refuses one of them.
// Errors: TransactionCanceledException  the gate refuses an access
//         ValidationException           the items together are larger than 4 MB
//         any other error of the gate
Status ReadTogether(Context& context, std::span<TransactionRead> reads);

// Writes the member ConsumedCapacity if the request asks for it. Also makes the access of each read
// leave the gate with its usage. `answered_bytes` returns the size of the answer to a read that
// has found an item; it is called only where there is a gate.
void WriteCapacityOfReads(Context& context, ReturnConsumedCapacity capacity,
                          std::span<const TransactionRead> reads,
                          absl::FunctionRef<std::size_t(std::size_t read)> answered_bytes,
                          JsonWriter& answer);

}  // namespace hashrange
