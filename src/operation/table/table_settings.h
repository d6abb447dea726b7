// Table settings: the members of CreateTable that the engine stores mostly for the layers above,
// and the checks of these members (docs/service/03-tables-and-indexes.md, section 2, rows 30 to
// 34). Any thread.
#pragma once

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/call/context.h"
#include "operation/table/table_definition.h"
#include "wire/binder.h"

namespace hashrange {

// Returns the settings of a new table.
// Errors: ValidationException  an unknown table class, or a check of rows 30 to 34 fails
Result<TableSettings> ReadTableSettings(const RequestObject& request,
                                        const TableDefinition& definition, const Context& context);

// Checks the member SSESpecification (row 33).
// Errors: ValidationException
Status CheckSseSpecification(const RequestObject& request);
// Returns whether an SSESpecification asks for a KMS key: SSEType without Enabled does
// (docs/service/03-tables-and-indexes.md, section 2, row 33).
bool EnablesSse(const RequestObject& specification);
// Returns the encryption that the request's SSESpecification asks for; nullopt: the key that every
// table has by default.
std::optional<SseSpecification> MakeSseSpecification(const RequestObject& request,
                                                     const Context& context);
// Returns the member TableClass, if it is present.
// Errors: ValidationException  an unknown class
Result<std::optional<std::string>> ReadTableClass(const RequestObject& request);

}  // namespace hashrange
