// CommitOne and its neighbours: what PutItem, UpdateItem, DeleteItem and statements that write have
// in common. Each of these makes one commit. These functions read the request's members that say
// what to return, commit the write through the gate, and write the answer's members about the cost.
// Called by the request's thread.
#pragma once

#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "expression/expression.h"
#include "operation/call/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/expression_parameters.h"
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
//         any error of `check`, the gate or `decide`; ConditionalCheckFailedException has the
//         stored item when the request asks for it
Result<SingleWriteOutcome> CommitOne(
    Context& context, std::string_view table_name, const SingleWriteOptions& options,
    absl::FunctionRef<Result<WriteTarget>(const TableVersion&)> check,
    absl::FunctionRef<Decision(const TableVersion&, ItemView before)> decide);

// Writes ConsumedCapacity and ItemCollectionMetrics, when the request asks for them.
void WriteSingleWriteMembers(const SingleWriteOutcome& outcome, const SingleWriteOptions& options,
                             JsonWriter& writer);

// The request of a PutItem or a DeleteItem, which has the attributes of an Item or a Key and one
// condition, either a ConditionExpression or Expected. Both operations can return the item as it
// was before the write, but not as it is after.
struct ConditionalWriteRequest {
  std::string_view table_name;
  const JsonValue* attributes;
  ExpressionParameters expressions;
  SingleWriteOptions options;
};
// `attributes`: the name of the member that holds the attributes, "Item" or "Key".
ConditionalWriteRequest ReadConditionalWriteRequest(const RequestObject& request,
                                                    std::string_view attributes);

// Returns the attributes of the Item or Key. Makes the checks of rows 1 to 3 of
// docs/service/05-item-operations.md, section 2: the combination of the request's members, the
// values of the attributes, ReturnValues.
// Errors: ValidationException
Result<std::span<const Attribute>> CheckedAttributes(Context& context, const RequestObject& json,
                                                     const ConditionalWriteRequest& request);

// Returns the condition of Expected or of ConditionExpression. Makes the checks of rows 5 and 6 of
// docs/service/05-item-operations.md, section 2.
// Errors: ValidationException
Result<Condition> ReadConditionOfWrite(Context& context, const RequestObject& json,
                                       const ConditionalWriteRequest& request);

void WriteConditionalWriteAnswer(const ConditionalWriteRequest& request,
                                 const SingleWriteOutcome& outcome, JsonWriter& answer);

}  // namespace hashrange
