// Seed: files, or a text, → tables and their items (seed_plan.h says which files, data_format.h
// how items stand in them). All or nothing:
//
//   every definition and every item is read and checked, as CreateTable and PutItem would;
//   with one error nothing is loaded
//   ──▶ new tables are published, all at one instant, complete
//   ──▶ items are put into tables that were there, as by PutItem, one after another
//
// Two items of one key in a seed are an error; an item that a table has already is replaced.
// Loading a new table writes no records of its stream, as the service's import does not.
//
// Files are read with this program's rights.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "operation/caller.h"
#include "transfer/data_format.h"
#include "transfer/file_bounds.h"
#include "transfer/item_load.h"
#include "transfer/transfer_parts.h"
#include "wire/json.h"

namespace hashrange {

struct SeedRequest {
  Caller caller = {};
  // One of the two.
  std::optional<std::filesystem::path> path = {};
  std::optional<std::string> data = {};  // items of one table
  // Of a folder of several tables the one to load; otherwise the name of the table.
  std::optional<std::string> table = {};
  // Of the one table there is; it goes before a file's. An object.
  const JsonValue* definition = nullptr;
  std::optional<DataFormat> format = {};  // of all items
  int threads = 0;                        // 0: as many as the machine has cores
  FileBounds bounds = {};                 // `path`, by its Resolve, and what it leads to
  ItemCounters counters = {};
};

struct TransferredTable {
  std::string name;
  std::int64_t items = 0;
};

struct LoadedSeed {
  std::vector<TransferredTable> tables;  // ascending by name
  // Sentences, without their full stops, about what was loaded and is perhaps not what was meant.
  std::vector<std::string> warnings;
};

// The tables, and how many items were loaded into each.
// Errors: ValidationException        the path, a file, a definition or an item is wrong
//         ResourceNotFoundException  there is no such path, or no such table
//         ResourceInUseException     a table that is there is not the one defined
//         InternalServerError        there is not enough memory. Nothing was loaded then, but
//                                    perhaps items into tables that were there.
//         A sentence without its full stop; it begins with the file, and the line, at fault.
// Cost: about two microseconds for an item of 500 bytes on each thread (bench/README.md). Memory:
// that of
//       the items, and 24 bytes for each while it runs.
Result<LoadedSeed> Seed(const TransferParts& parts, const SeedRequest& request);

}  // namespace hashrange
