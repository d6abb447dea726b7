// TableData: tables and items that a user has in files, in a database of this process, whose
// measurement says which templates their keys have. Used by one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "hashrange/database.h"
#include "measure/measurement.h"

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

  // Calls an operation under the name of a pattern.
  // Errors: ValidationException  the engine refuses it; the sentence is the engine's
  Status Call(std::string_view operation, std::string_view json, std::string_view pattern);

  // Returns the answer of an operation.
  // Errors: as above
  Result<std::string> Ask(std::string_view operation, std::string_view json);

  // Begins to measure what Call does from now on.
  void Begin();
  // Returns what was measured since Begin.
  Result<Measurement> End();

 private:
  Status LoadBy(const std::string& json);

  Database database_;
};

}  // namespace hashrange
