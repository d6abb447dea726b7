// TableDescription: all that CreateTable, DescribeTable, UpdateTable and DeleteTable say of
// a table (reference 03, section 3).
#pragma once

#include "operation/context.h"

namespace hashrange {

// `status` is what the description says of the table; of a table that is being made, its
// indexes are too, of one that is being deleted the global ones are no longer listed.
void WriteTableDescription(const Context& context, const TableVersion& table, ResourceStatus status,
                           JsonWriter& writer);

// The member KeySchema.
void WriteKeySchema(const KeySchema& key, JsonWriter& writer);

}  // namespace hashrange
