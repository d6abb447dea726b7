#include "wire/shape.h"

#include <algorithm>

namespace hashrange {
namespace {

#include "wire/shape_table.inc"

}  // namespace

std::span<const OperationShape> OperationShapes() { return kOperations; }

const OperationShape* FindOperationShape(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kOperations, operation, {}, &OperationShape::name);
  return found != std::end(kOperations) && found->name == operation ? found : nullptr;
}

}  // namespace hashrange
