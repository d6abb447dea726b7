// What DescribeContinuousBackups and UpdateContinuousBackups share
// (docs/service/16-backup-export-import.md, section B). Any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// Returns the table of that name or ARN, in any state.
// Errors: TableNotFoundException "Table not found: <T>"
//         ValidationException  an ARN of another Region
Result<TableRef> FindTableToBackUp(const Context& context, std::string_view name_or_arn);

// Writes the answer of both operations. A table has continuous backups as soon as it is created.
void WriteContinuousBackupsAnswer(const Context& context, const TableVersion& table,
                                  JsonWriter& answer);

}  // namespace hashrange
