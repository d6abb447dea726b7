// The operations, by name. Each operation has a file of its own. The parts of the file have the
// same order everywhere, here for GetItem: struct GetItemRequest, ReadGetItemRequest, RunGetItem,
// WriteGetItemAnswer, GetItem. A part that several operations share is in another file, which they
// include. Any thread may call an operation, with a Context of its own.
#pragma once

#include "operation/call/context.h"
#include "wire/shape.h"

namespace hashrange {

#define HR_OPERATION(name, ...) \
  Status name(Context& context, const RequestObject& request, JsonWriter& answer);
#include "operation/call/operations.def"

// What a call may do to tables, items and tags. A call that kChanges waits until what it did, and
// what it saw, is safe (base/durability.h). A call that kSearches reads, and may take so long that
// it is better made on another thread (Context::leaves).
enum class OperationEffect { kReads, kChanges, kSearches };

// One operation that Hashrange implements. `shape` is the shape of its request.
struct OperationRow {
  std::string_view name;
  OperationFunction function;
  OperationEffect effect;
  const OperationShape* shape;
};

// Returns the row of an operation, or null when Hashrange does not implement it.
const OperationRow* FindOperation(std::string_view name);

}  // namespace hashrange
