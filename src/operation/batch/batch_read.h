// BatchRead: the keys of a BatchGetItem (docs/service/07-batch.md, section 1), which are read at
// one instant.
//
//   CheckBatchReads: all that needs no table
//   ReadBatch: the tables, the keys against them, the gate, one read
//   ChargeBatchRead: what the answer took, when it is known what has a place in it
//
// Views of the request and its arena; called by the request's thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "operation/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/read_projection.h"
#include "operation/read/read_lag.h"

namespace hashrange {

// The part of the request for one table.
struct BatchReadTable {
  std::string_view name;  // as sent
  const JsonValue* json = nullptr;
  std::span<std::span<const Attribute>> keys;
  Projection projection;
  bool consistent = false;
  TableRef table;
  ReadView view;             // of the table: what is read
  std::span<ItemRef> items;  // one for each key
  std::span<bool> admitted;  // by the gate, one for each key
  std::span<bool> answered;  // in the answer, or not stored; the rest is unprocessed
};

// Reads projections and keys from the JSON and makes the checks that need no table.
// Errors: ValidationException  expressions, a key, two that are the same, their number
Status CheckBatchReads(Context& context, std::span<BatchReadTable> tables);

// Finds the tables, checks the keys against them, and reads those that the gate lets in, all
// at one instant. `items` is where they stay.
// Errors: ResourceNotFoundException  a table does not exist
//         ValidationException  a key does not fit its table
//         of the gate: the whole batch's, or the first throttle when no key was let in
Status ReadBatch(Context& context, std::span<BatchReadTable> tables, std::vector<ItemRef>* items);

// What the answered keys cost; tells the gate of every key it let in.
CapacityMeter ChargeBatchRead(Context& context, const BatchReadTable& table);

}  // namespace hashrange
