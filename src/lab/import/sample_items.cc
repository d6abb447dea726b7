#include "lab/import/sample_items.h"

#include <algorithm>

#include "base/output_buffer.h"
#include "lab/import/import_readers.h"
#include "lab/import/imported_template.h"
#include "wire/json_writer.h"

namespace hashrange {

std::string SampleJson(const JsonValue& json) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(json, writer);
  return std::string(out.view());
}

void PutSampleItem(std::string_view table, const JsonValue& item, const std::string& place,
                   TableData& data, std::vector<std::string>& remarks) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("TableName", table);
  writer.Name("Item");
  WriteJson(item, writer);
  writer.EndObject();
  const Status put = data.Call("PutItem", out.view(), "");
  if (!put.ok()) remarks.push_back(place + ": an item was left out: " + put.error().message);
}

Result<ImportedModel> MeasuredSample(TableData& data, const Measurement* items) {
  HR_ASSIGN(Measurement measurement, data.End());
  if (items != nullptr) {
    measurement.tables = items->tables;
    measurement.resources = items->resources;
    measurement.entities = items->entities;
    measurement.key_templates = items->key_templates;
  }
  HR_ASSIGN(ImportedModel model, ReadMeasuredModel(measurement));
  model.has_counts = false;
  for (ImportedEntity& entity : model.entities) {
    const bool is_single = std::ranges::all_of(
        entity.keys, [](const ImportedKey& key) { return AttributesIn(key.text).empty(); });
    if (!is_single) entity.items = 0;
    entity.most_children = 0;
  }
  for (ImportedPattern& pattern : model.patterns) {
    pattern.calls_per_second = 0;
    pattern.picks_by_zipf = false;
  }
  AddTablesWithoutItems(model);
  return model;
}

}  // namespace hashrange
