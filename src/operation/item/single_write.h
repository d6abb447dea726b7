// SingleWrite: what PutItem, UpdateItem and DeleteItem have in common around their one
// commit: the members that say what to return, the gate, the condition's failure.
#pragma once

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "operation/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/return_values.h"

namespace hashrange {

struct SingleWriteOptions {
  ReturnValues return_values = ReturnValues::kNone;
  bool old_on_condition_failure = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
  bool metrics = false;
};
SingleWriteOptions ReadSingleWriteOptions(const RequestObject& request);

// A committed write: the items before and after, and the table they belong to.
struct SingleWriteOutcome {
  TableRef table;
  ItemRef before;
  ItemRef after;
  std::span<const Attribute> key;  // at least the key attributes
  CapacityMeter meter;

  ItemView before_view() const { return {table->key, before.get()}; }
  ItemView after_view() const { return {table->key, after.get()}; }
};

// The item that is written: its place, and at least the attributes of its key.
struct WriteTarget {
  Position position;
  std::span<const Attribute> key;
  bool is_delete = false;
};

// Looks the table up, lets `check` judge the request against it, passes the gate and
// commits; starts again at the look-up when the table has changed meanwhile. `check` gives
// what is written; `decide` is the commit's function.
// Errors: ResourceNotFoundException; what `check`, the gate and `decide` say;
//         ConditionalCheckFailedException gets the stored item when it is asked for
Result<SingleWriteOutcome> CommitOne(
    Context& context, std::string_view table_name, const SingleWriteOptions& options,
    absl::FunctionRef<Result<WriteTarget>(const TableVersion&)> check,
    absl::FunctionRef<Decision(const TableVersion&, ItemView before)> decide);

// ConsumedCapacity and ItemCollectionMetrics, when asked for.
void WriteSingleWriteMembers(const SingleWriteOutcome& outcome, const SingleWriteOptions& options,
                             JsonWriter& writer);

}  // namespace hashrange
