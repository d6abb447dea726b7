// SingleWrite: what PutItem, UpdateItem, DeleteItem and statements that write have in common. Each
// of these makes one commit. This file reads the request's members that say what to return, commits
// the write through the gate, and writes the answer's members about the cost. Called by the
// request's thread.
#pragma once

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "operation/call/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/return_values.h"

namespace hashrange {

struct SingleWriteOptions {
  ReturnValues return_values = ReturnValues::kNone;
  bool old_on_condition_failure = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
  bool metrics = false;  // ItemCollectionMetrics are asked for
  // A write that the commit refuses is charged for the stored item, and at least for this size.
  std::size_t attempted_bytes = 0;
  std::uint32_t member = 0;  // Access::member
};
SingleWriteOptions ReadSingleWriteOptions(const RequestObject& request);

// A committed write: the items before and after, and the table they belong to.
struct SingleWriteOutcome {
  TableRef table;
  ItemRef before;
  ItemRef after;
  std::span<const Attribute> key;  // the key attributes; for a put, the whole item
  CapacityMeter meter;             // empty when neither the request nor a gate needs it

  ItemView before_view() const { return {table->key, before.get()}; }
  ItemView after_view() const { return {table->key, after.get()}; }
};

// The item that is written.
struct WriteTarget {
  Position position;
  std::span<const Attribute> key;  // the key attributes; for a put, the whole item
  WriteKind kind = WriteKind::kPut;
  const AccessTerms* terms = &kNoTerms;
};

// Returns the committed write. Finds the table, calls `check`, enters the gate and commits; does
// all of this again when the table has changed meanwhile. `check` checks the request against the
// table and returns which item is written. `decide` decides what the write does, while the
// partition is locked (ItemWrite::function in engine/engine.h).
// Errors: ResourceNotFoundException  the table does not exist
//         InternalServerError        the item would grow, and the memory is used up (GrowthLimit)
//         those of `check`, the gate and `decide`; ConditionalCheckFailedException has the stored
//         item when the request asks for it
Result<SingleWriteOutcome> CommitOne(
    Context& context, std::string_view table_name, const SingleWriteOptions& options,
    absl::FunctionRef<Result<WriteTarget>(const TableVersion&)> check,
    absl::FunctionRef<Decision(const TableVersion&, ItemView before)> decide);

// Writes ConsumedCapacity and ItemCollectionMetrics, when the request asks for them.
void WriteSingleWriteMembers(const SingleWriteOutcome& outcome, const SingleWriteOptions& options,
                             JsonWriter& writer);

}  // namespace hashrange
