// NewTable: all that the input of CreateTable says of a table, once its checks hold, and the
// first version of that table. For CreateTable, and for what loads whole tables.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "operation/context.h"
#include "operation/table/table_definition.h"

namespace hashrange {

struct NewTable {
  TableDefinition definition;
  TableSettings settings;
  std::vector<Tag> tags;
};

// `request` is a bound input of CreateTable.
// Errors: ValidationException  any of docs/service/03-tables-and-indexes.md, section 2; whether the
//                              name is free is not looked at
Result<NewTable> ReadNewTable(const Context& context, const RequestObject& request);

// The account's, not yet published, without the storage of its stream.
std::unique_ptr<TableVersion> MakeTableVersion(const Context& context, const NewTable& table);

}  // namespace hashrange
