// The answers of operations whose lists are always empty, and of operations on global tables, which
// do not exist: no operation makes a backup, an export, an import, a bulk operation or a replica.
// Any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// Writes {"<name>":[]}.
void WriteEmptyList(std::string_view name, JsonWriter& answer);

// Checks that the request has no token of a page: an empty list has no pages.
// Errors: ValidationException "Invalid NextToken: <token>"
// (docs/service/17-global-tables-and-account.md, section G)
Status CheckNoPageToken(const RequestObject& request);

// Checks the member TableArn, when there is one. The table need not exist.
// Errors: ValidationException  it is not the ARN of a table, or names another Region
Status CheckTableArnToList(const Context& context, const RequestObject& request);

// Returns the refusal of the global tables of version 2017.11.29, ValidationException
// (docs/service/17-global-tables-and-account.md, section A).
Error LegacyGlobalTablesRefused();

// Returns GlobalTableNotFoundException for a request with the member GlobalTableName.
Error GlobalTableNotFound(const RequestObject& request);

// Returns the error of an operation on the replicas of a table: no table has any.
// Errors: ResourceNotFoundException "Global table with name: '<T>' does not exist."
//         ValidationException  an ARN of another Region
Error ReplicasNotFound(const Context& context, const RequestObject& request);

}  // namespace hashrange
