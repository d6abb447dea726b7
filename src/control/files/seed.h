// Seed loads tables and their items from files or from a text. seed_plan.h says which files belong
// to a seed, data_format.h how items are written in them. A seed is loaded in three steps:
//
//   every definition and every item is read and checked as CreateTable and PutItem do it;
//   with one error nothing is loaded
//   ──▶ new tables are published, all at one instant, complete
//   ──▶ items are put into existing tables, as by PutItem, one after another; if a table is changed
//       or deleted meanwhile, or memory runs out, some of these items may stay. A server that keeps
//       its data and is killed meanwhile puts the rest at its next start
//
// Two items with one key in a seed are an error. An item that a table has already is replaced.
// Loading a new table writes no records to its stream, like the service's import.
//
// Files are read with this program's rights. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_path.h"
#include "base/result.h"
#include "control/files/data_format.h"
#include "control/files/file_bounds.h"
#include "control/files/item_load.h"
#include "control/files/transfer_parts.h"
#include "operation/call/caller.h"
#include "wire/json.h"

namespace hashrange {

struct SeedRequest {
  Caller caller = {};
  // One of these two is set.
  std::optional<fs::path> path = {};
  std::optional<std::string> data = {};  // items of one table
  // For a folder of several tables: the table to load. Otherwise: the name of the table.
  std::optional<std::string> table = {};
  // The definition of the only table, an object. It replaces a definition in a file.
  const JsonValue* definition = nullptr;
  std::optional<DataFormat> format = {};  // of all items; nullopt: it is recognised
  int threads = 0;                        // 0, or more than the machine has cores: one per core
  FileBounds bounds = {};                 // `path` is a path that bounds.Resolve has returned
  ItemCounters counters = {};
};

struct LoadedSeed {
  std::vector<TransferredTable> tables;  // ascending by name
  // Sentences, without a full stop, about loaded data that is perhaps not what was meant.
  std::vector<std::string> warnings;
};

// Returns the tables, and how many items were loaded into each.
// Errors: ValidationException        the path, a file, a definition or an item is wrong
//         ResourceNotFoundException  there is no such path, or no such table
//         ResourceInUseException     an existing table differs from its definition, or is being
//                                    created or deleted; another call created a table meanwhile
//         InternalServerError        there is not enough memory. Nothing was loaded then, except
//                                    perhaps the new tables, and items into existing tables.
//         The message is a sentence without a full stop. It begins with the file and the line of
//         the error, where there is one.
// Cost: about two microseconds for an item of 500 bytes on each thread (bench/README.md).
// Memory: the items, and 24 bytes for each item until Seed returns.
Result<LoadedSeed> Seed(const TransferParts& parts, const SeedRequest& request);

}  // namespace hashrange
