// TableData: tables and items that a user has in files, in a database of this process, whose
// measurement says which templates their keys have. Used by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hashrange/database.h"
#include "lab/import/import_steps.h"
#include "lab/import/imported_model.h"
#include "measure/measurement.h"
#include "wire/json.h"

namespace hashrange {

class TableData {
 public:
  TableData();

  // Loads a folder of tables, or the file of one table's items (docs/seed-and-dump.md).
  // `definition` is the JSON of the table of a file; empty: the file or folder has it.
  // Errors: ValidationException  the engine refuses a table or an item; the sentence says which
  Status Load(const std::string& path, std::string_view definition);
  // Makes a table of an input of CreateTable or an answer of DescribeTable, without items.
  // Errors: as above
  Status MakeTable(std::string_view definition);

  // Returns the answer of an operation, which is called under the name of a pattern.
  // Errors: ValidationException  the engine refuses it; the sentence is the engine's
  Result<std::string> Call(std::string_view operation, std::string_view json,
                           std::string_view pattern = {});

  // Begins to measure what Call does from now on.
  void Begin();
  // Returns what was measured since Begin.
  Result<Measurement> End();

 private:
  Status LoadBy(const std::string& json);

  Database database_;
};

// Gives generators to the attributes of the model's entities by the first items of each table: a
// choice with its weights, the bounds of numbers, the share of what is true. A measurement has
// sizes, but no values.
// Errors: ValidationException  a table cannot be read
Status DescribeByItems(TableData& data, ImportedModel& model);

// Puts an item that a model has as an example into its table. One that the engine refuses is
// remarked; what can be put of it is put.
void PutSampleItem(std::string_view table, const JsonValue& item, const std::string& place,
                   TableData& data, std::vector<std::string>& remarks);

// What the items of all tables show as samples. Where there are too many to compare each with each
// other, the measurement alone has to do.
struct MeasuredSamples {
  Measurement measurement = {};
  std::vector<SampledEntity> entities = {};  // one for each of the measurement; empty: too many
  std::vector<std::string> remarks = {};
};
// Errors: ValidationException  a table cannot be read
Result<MeasuredSamples> MeasureSamples(TableData& data);

// Returns the model of the samples, with the patterns of another measurement, in which they were
// called.
Result<ImportedModel> ModelOfSamples(const MeasuredSamples& samples, Measurement called);

// Takes the counts and rates away. A model's samples show the templates of keys, but neither how
// many items there are nor how often they are read.
void TakeAwayCounts(ImportedModel& model);

}  // namespace hashrange
