// Items that a model has as examples: they show the templates of keys, but neither how many items
// there are nor how often they are read. Used by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/import/imported_model.h"
#include "lab/import/table_data.h"
#include "wire/json.h"

namespace hashrange {

// Returns the JSON of the value.
std::string SampleJson(const JsonValue& json);

// Puts the item into its table. One that the engine refuses is remarked.
void PutSampleItem(std::string_view table, const JsonValue& item, const std::string& place,
                   TableData& data, std::vector<std::string>& remarks);

// Returns what was measured, without counts and rates, which are those of the examples.
// `items` is a measurement of the tables before the patterns were called; null: none was called.
Result<ImportedModel> MeasuredSample(TableData& data, const Measurement* items = nullptr);

}  // namespace hashrange
