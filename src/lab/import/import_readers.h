// The readers of models, one for each kind. Each returns what the source says; nothing is completed
// yet. Pure functions; any thread.
//
// Errors of all of them: ValidationException  the JSON does not have the form of the kind, so that
//        nothing can be read; the sentence names the place. What can be left out is remarked
//        instead
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "lab/import/imported_model.h"
#include "measure/measurement.h"
#include "wire/json.h"

namespace hashrange {

// The schema.json of AWS Labs (docs/service/21-layout-lab.md, section 1).
Result<ImportedModel> ReadSchemaJsonModel(const JsonValue& json);

// A measurement: of live traffic, or of tables that were filled from files.
Result<ImportedModel> ReadMeasuredModel(const Measurement& measurement);

// dynamodb_data_model.json, in either of its forms: with CreateTable inputs, items and lines of the
// AWS CLI, which are called in a database of this process; or with rates and sizes.
Result<ImportedModel> ReadDataModel(const JsonValue& json);

// A model of NoSQL Workbench: by its sample data where it has some, otherwise by its facets.
Result<ImportedModel> ReadWorkbenchModel(const JsonValue& json);

// A schema of OneTable.
Result<ImportedModel> ReadOneTableModel(const JsonValue& json);

// Adds to a table without items one entity that has the attributes of its keys.
void AddTablesWithoutItems(ImportedModel& model);

// One or several entities of ElectroDB.
Result<ImportedModel> ReadElectroModel(std::span<const JsonValue* const> entities);

}  // namespace hashrange
