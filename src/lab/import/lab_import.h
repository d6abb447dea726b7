// `hashrange lab import`: a lab file made from models that people have already. Used by one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/import/import_kinds.h"

namespace hashrange {

struct ImportedLab {
  std::string text = {};                  // a lab file that is read without an error
  std::vector<std::string> remarks = {};  // what was left out or changed, a sentence each
};

// A file with more bytes is refused. A file with a measurement may have kMaxFileTextBytes.
inline constexpr std::size_t kMostModelBytes = 8 << 20;
inline constexpr std::size_t kMostItemBytes = 1 << 30;
// A list or an object of a model with more elements is refused.
inline constexpr std::size_t kMostModelElements = 2000;

// Returns the lab file. `files` are one model; of tables, definitions with the files of their items
// behind them, or folders; of ElectroDB, one or several entities. Without `kind`, the content of
// the files shows it. Errors: ValidationException  a file cannot be read or is too large, its kind
// is not known, or
//         nothing in it can be turned over; the sentence has the file's name
Result<ImportedLab> ImportLab(const std::vector<std::string>& files,
                              std::optional<ImportKind> kind);

}  // namespace hashrange
