// dynamodb_data_model.json in the form that has rates and sizes, but no templates of keys.
// Pure function; any thread.
#pragma once

#include "base/result.h"
#include "lab/import/imported_model.h"
#include "wire/json.h"

namespace hashrange {

// Returns the model. Errors: as those of import_readers.h
Result<ImportedModel> ReadCapacityModel(const JsonValue& json);

}  // namespace hashrange
