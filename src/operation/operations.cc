#include "operation/call/operations.h"

#include <algorithm>

namespace hashrange {
namespace {

// The rows are ascending by name, as operations.def is.
std::span<const OperationRow> Rows() {
  static const OperationRow rows[] = {
#define HR_OPERATION(name, effect) \
  {#name, name, OperationEffect::effect, FindOperationShape(#name)},
#include "operation/call/operations.def"
  };
  return rows;
}

}  // namespace

const OperationRow* FindOperation(std::string_view name) {
  const auto rows = Rows();
  const auto row = std::ranges::lower_bound(rows, name, {}, &OperationRow::name);
  return row != rows.end() && row->name == name ? &*row : nullptr;
}

}  // namespace hashrange
