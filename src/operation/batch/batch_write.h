// BatchWrite: the members of a BatchWriteItem (docs/service/07-batch.md, section 2), each an
// ordinary put or delete with a commit of its own.
//
//   CheckBatchWrites: all of them against their tables
//   CommitBatchWrites: all of them at the gate, then one commit after another
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

namespace hashrange {

struct BatchWrite {
  bool is_put = false;
  bool is_unprocessed = false;            // the gate refused it
  std::span<const Attribute> attributes;  // the item, or the key
  // The version it is written to, when the one it was checked against is no longer there.
  TableRef newer;
  WriteOutcome outcome;
};

// The part of the request for one table.
struct BatchWriteTable {
  std::string_view name;  // as sent
  std::span<const JsonValue> json;
  std::vector<BatchWrite> writes;
  TableRef table;
};

// Reads every member from the JSON, finds the tables, and checks every member; nothing is written
// before all have passed.
// Errors: ValidationException  a member, their number, or two of the same item
//         ResourceNotFoundException  a table does not exist
Status CheckBatchWrites(Context& context, std::span<BatchWriteTable> tables);

// Commits every checked member. What the gate refuses comes back unprocessed; a table that has
// changed meanwhile is looked up again, and a member that meets it checked against it.
// Errors: of the gate: the whole batch's, or the first throttle when nothing was processed
//         ValidationException, ResourceNotFoundException  a table that has changed; what was
//         committed before stays
Status CommitBatchWrites(Context& context, std::span<BatchWriteTable> tables);

// The version that a member was, or is to be, written to.
const TableVersion& TargetVersion(const BatchWriteTable& table, const BatchWrite& write);

// What the committed members of a table cost.
CapacityMeter CapacityOfBatchWrite(const BatchWriteTable& table, Arena& arena);

}  // namespace hashrange
