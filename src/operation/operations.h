// The operations, by name. Each stands in a file of its own: the request struct, Read,
// Run, Write.
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

// The row of an operation, or null.
const OperationRow* FindOperation(std::string_view name);

}  // namespace hashrange
