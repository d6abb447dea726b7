// Table settings: the members of CreateTable that the engine only carries for
// DescribeTable, and their checks (docs/service/03-tables-and-indexes.md, section 2,
// rows 30 to 34).
#pragma once

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/context.h"
#include "operation/table/table_definition.h"
#include "wire/binder.h"

namespace hashrange {

// Errors: ValidationException
Result<TableSettings> ReadTableSettings(const RequestObject& request,
                                        const TableDefinition& definition, const Context& context);

// SSESpecification (row 33).
// Errors: ValidationException
Status CheckSseSpecification(const RequestObject& request);
// Whether a specification asks for a key in KMS: a type alone does
// (docs/service/03-tables-and-indexes.md, section 2, row 33).
bool EnablesSse(const RequestObject& specification);
// Nullopt for the key that every table has by default.
std::optional<SseSpecification> MakeSseSpecification(const RequestObject& request,
                                                     const Context& context);
// Errors: ValidationException  an unknown class
Result<std::optional<std::string>> ReadTableClass(const RequestObject& request);

// What something new is described with; `start` stands for units that are not given.
std::optional<OnDemandThroughput> NewOnDemandThroughput(const std::optional<PartialUnits>& units);
WarmThroughput NewWarmThroughput(const std::optional<PartialUnits>& units,
                                 const WarmThroughput& start);

}  // namespace hashrange
