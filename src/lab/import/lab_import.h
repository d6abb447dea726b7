// `hashrange lab import`: a lab file made from models that people have already. Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hashrange {

enum class ImportKind : std::uint8_t {
  kSchemaJson,   // AWS Labs' schema.json
  kTables,       // CreateTable inputs or DescribeTable answers, and items
  kMeasurement,  // what `hashrange ctl measure show` prints
  kDataModel,    // dynamodb_data_model.json, in either form
  kWorkbench,    // NoSQL Workbench
  kOneTable,
  kElectroDb,
};

// The names of the kinds, in the order of ImportKind.
inline constexpr std::string_view kImportKindNames[] = {
    "schema", "tables", "measurement", "data-model", "workbench", "onetable", "electrodb"};

// Returns the kind of that name; nothing for other names.
std::optional<ImportKind> ImportKindNamed(std::string_view name);

// Returns "schema, tables, … and electrodb" for sentences.
std::string ImportKindNames();

// Returns "3 open questions".
std::string QuestionCountText(std::size_t questions);

struct ImportedLab {
  // A lab file that is read without an error, once its open questions are answered.
  std::string text = {};
  std::vector<std::string> remarks = {};  // what was left out or changed, a sentence each
  // How many values of the text are the mark of a question, as the source does not decide.
  std::size_t questions = 0;
};

// Returns the lab file. `files` are one model; of tables, definitions with the files of their items
// behind them, or folders; of ElectroDB, one or several entities. "-" is stdin. Without `kind`, the
// content of the files shows it.
// Errors: ValidationException  a file cannot be read or is too large, its kind is not known, or
//         nothing in it can be turned over; the sentence has the file's name
Result<ImportedLab> ImportLab(const std::vector<std::string>& files,
                              std::optional<ImportKind> kind);

}  // namespace hashrange
