// The operations, by name. Each has a file of its own, with the same parts in the same order (for
// GetItem): struct GetItemRequest, ReadGetItemRequest, RunGetItem, WriteGetItemAnswer, GetItem.
#pragma once

#include <span>

#include "operation/context.h"
#include "wire/shape.h"

namespace hashrange {

#define HR_OPERATION(name) \
  Status name(Context& context, const RequestObject& request, JsonWriter& answer);
#include "operation/operations.def"

struct OperationRow {
  std::string_view name;
  OperationFunction function;
  const OperationShape* shape;
};

// Returns the row of an operation, or null when Hashrange does not implement it.
const OperationRow* FindOperation(std::string_view name);

}  // namespace hashrange
