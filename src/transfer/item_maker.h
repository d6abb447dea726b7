// ItemMaker makes what is stored of an item as PutItem would: by the same shape, the same reader
// and the same checks. Immutable: any thread, each with an arena of its own.
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "engine/table_version.h"
#include "value/item.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

class ItemMaker {
 public:
  // `table` outlives it.
  explicit ItemMaker(const TableVersion& table)
      : table_(table), put_item_(*FindOperationShape("PutItem")) {}

  // `item`: {"PK":{"S":…},…}, as in a PutItem request.
  // Errors: those of PutItem for its Item, without the envelope of single writes
  Result<ItemRef> Make(const JsonValue& item, Arena& arena) const;

 private:
  const TableVersion& table_;
  const OperationShape& put_item_;
};

}  // namespace hashrange
