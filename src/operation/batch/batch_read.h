// BatchRead: the keys of a BatchGetItem (docs/service/07-batch.md, section 1), which are read at
// one instant.
//
//   CheckBatchReads: makes the checks that need no table
//   ReadBatch: finds the tables, checks the keys against them, passes the gate, reads once
//   ChargeBatchRead: counts the capacity, when it is known which items the answer has room for
//
// The structures are views of the request and its arena. Called by the request's thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "operation/call/context.h"
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
  ReadView view;                         // of `table`
  std::uint32_t first_member = 0;        // Access::member of the first key
  const AccessTerms* terms = &kNoTerms;  // of each access to a key
  std::span<ItemRef> items;              // one for each key
  std::span<bool> admitted;              // one for each key: the gate has admitted it
  // One for each key. True: the item is in the answer, or is not stored. False: the key is
  // unprocessed.
  std::span<bool> answered;
};

// Reads projections and keys from the JSON and makes the checks that need no table.
// Errors: ValidationException  an expression, a key, two equal keys, too many keys
Status CheckBatchReads(Context& context, std::span<BatchReadTable> tables);

// Finds the tables, checks the keys against them, and reads the items whose keys the gate admits,
// all at one instant. `*items` owns the items; each BatchReadTable::items is a view of `*items`.
// Errors: ResourceNotFoundException  a table does not exist
//         ValidationException  a key does not fit its table
//         those of the gate that fail the whole batch; the first throttling error when no key was
//         admitted
Status ReadBatch(Context& context, std::span<BatchReadTable> tables, std::vector<ItemRef>* items);

// Returns the capacity that the answered keys consumed. Also makes the access of each admitted key
// leave the gate.
CapacityMeter ChargeBatchRead(Context& context, const BatchReadTable& table);

}  // namespace hashrange
