// TableDescription: how the answers of CreateTable, DescribeTable, UpdateTable and DeleteTable
// describe a table (docs/service/03-tables-and-indexes.md, sections 3 and 5). Any thread.
#pragma once

#include <string_view>

#include "operation/call/context.h"

namespace hashrange {

// Writes the description of a table with the given status, which may differ from the version's own:
// CreateTable answers CREATING even if the table is ACTIVE at once. When the status is CREATING,
// the global and vector indexes are described as CREATING, too. When it is DELETING, they are not
// listed.
void WriteTableDescription(const Context& context, const TableVersion& table, ResourceStatus status,
                           JsonWriter& writer);

// Writes an answer that has only this description, as the member of that name.
void WriteTableAnswer(const Context& context, std::string_view member, const TableVersion& table,
                      ResourceStatus status, JsonWriter& answer);

// Writes the description in the answer of DeleteTable. It is shorter: without AttributeDefinitions,
// KeySchema, CreationDateTime, WarmThroughput and indexes.
void WriteDeletedTableDescription(const Context& context, const TableVersion& table,
                                  JsonWriter& writer);

// Writes the member KeySchema.
void WriteKeySchema(const KeySchema& key, JsonWriter& writer);

}  // namespace hashrange
