// Whole items: what PutItem asks of the item it stores, for it and for what loads items by the
// thousand. `item` is what ReadAttributes gave.
#pragma once

#include <span>

#include "base/result.h"
#include "engine/table_version.h"
#include "value/attribute_value.h"

namespace hashrange {

// Errors: ValidationException  the item is larger than 400 KB
Status CheckItemSize(std::span<const Attribute> item);

// Its key attributes, then those of indexes.
// Errors: ValidationException
Status CheckItemFits(const TableVersion& table, std::span<const Attribute> item);

}  // namespace hashrange
