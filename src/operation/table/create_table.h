// NewTable: a table that does not exist yet, as the input of CreateTable describes it, after all
// checks. CreateTable and the loader of files make the first version of a table from it. Any
// thread.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "operation/call/context.h"
#include "operation/table/table_definition.h"

namespace hashrange {

struct NewTable {
  TableDefinition definition;
  TableSettings settings;
  std::vector<Tag> tags;
};

// Returns the table that `request`, a bound input of CreateTable, describes. Does not check whether
// the name is free.
// Errors: ValidationException  a check of docs/service/03-tables-and-indexes.md, section 2, rows 1
//         to 35, fails; the ARN names another Region; Hashrange does not implement a member
Result<NewTable> ReadNewTable(const Context& context, const RequestObject& request);

// Returns the first version of the table in the caller's account. It is not published, and its
// stream has no storage yet.
std::unique_ptr<TableVersion> MakeTableVersion(const Context& context, const NewTable& table);

}  // namespace hashrange
