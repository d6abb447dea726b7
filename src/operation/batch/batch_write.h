// BatchWrite: the members of a BatchWriteItem (docs/service/07-batch.md, section 2), each an
// ordinary put or delete with a commit of its own.
//
//   CheckBatchWrites: checks all members against their tables
//   CommitBatchWrites: all members enter the gate, then each is committed
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

namespace hashrange {

struct BatchWrite {
  bool is_put = false;
  bool is_unprocessed = false;            // the gate, or the bound on memory, has refused it
  std::uint32_t member = 0;               // Access::member
  std::span<const Attribute> attributes;  // the item, or the key
  // Null: the member is written to BatchWriteTable::table. Not null: the table has changed since
  // that version was found, and the member is written to this newer version.
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
// before all members have passed.
// Errors: ValidationException  a member, too many members, or two members for one item
//         ResourceNotFoundException  a table does not exist
Status CheckBatchWrites(Context& context, std::span<BatchWriteTable> tables);

// Commits every checked member. A member that the gate or a GrowthLimit refuses is marked as
// unprocessed. When a table has changed meanwhile, it is found again, and the members that are not
// yet committed are checked against the newer version.
//
// Errors: those of the gate that fail the whole batch; the first refusal when no member was
//         processed
//         ValidationException, ResourceNotFoundException  a table has changed; what was committed
//         before remains
Status CommitBatchWrites(Context& context, std::span<BatchWriteTable> tables);

// Returns the version that a member was written to, or is to be written to.
const TableVersion& TargetVersion(const BatchWriteTable& table, const BatchWrite& write);

// Returns the capacity that the committed members of a table consumed.
CapacityMeter CapacityOfBatchWrite(const BatchWriteTable& table, Arena& arena);

}  // namespace hashrange
