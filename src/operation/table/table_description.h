// TableDescription: all that CreateTable, DescribeTable, UpdateTable and DeleteTable say of
// a table (docs/service/03-tables-and-indexes.md, sections 3 and 5).
#pragma once

#include "operation/context.h"

namespace hashrange {

// `status` is what the description says of the table; of a table that is being made, its
// indexes are too, of one that is being deleted the global ones are no longer listed.
void WriteTableDescription(const Context& context, const TableVersion& table, ResourceStatus status,
                           JsonWriter& writer);

// The answer of DeleteTable: what is left to say of a table that goes. It holds neither the
// table's attributes and key schema, nor when it was created, nor any index.
void WriteDeletedTableDescription(const Context& context, const TableVersion& table,
                                  JsonWriter& writer);

// The member KeySchema.
void WriteKeySchema(const KeySchema& key, JsonWriter& writer);

}  // namespace hashrange
