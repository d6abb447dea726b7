#include "operation/parameter/whole_item.h"

#include "operation/parameter/item_key.h"
#include "value/item.h"

namespace hashrange {

Status CheckItemSize(std::span<const Attribute> item) {
  if (ItemSizeBytes(item) <= kMaxItemSizeBytes) return {};
  return ValidationError("Item size has exceeded the maximum allowed size");
}

Status CheckItemFits(const TableVersion& table, std::span<const Attribute> item) {
  HR_RETURN_IF_ERROR(CheckItemKey(table.key, item));
  return CheckIndexKeys(table, item);
}

}  // namespace hashrange
