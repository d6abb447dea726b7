// Dump writes tables, as of one instant, into files that a seed can read. No request waits
// meanwhile: the tables are pinned and then read without a lock. Files are written with this
// program's rights. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file_path.h"
#include "base/memory/output_buffer.h"
#include "base/result.h"
#include "control/files/data_format.h"
#include "control/files/file_bounds.h"
#include "control/files/transfer_parts.h"
#include "operation/call/caller.h"

namespace hashrange {

struct DumpRequest {
  Caller caller = {};
  std::optional<std::string> table = {};      // nullopt: all tables of the caller
  DataFormat format = DataFormat::kDynamoDb;  // or kJson
  bool compresses = false;
  bool overwrites = false;  // the folder may contain other files than a dump
  FileBounds bounds = {};   // the folder is a path that bounds.Resolve has returned
};

// Writes definitions and items into a folder (dump_folder.h). Returns the tables, ascending by
// name.
// Errors: ResourceNotFoundException  there is no such table
//         ResourceInUseException     the table is being created or deleted
//         ValidationException        the folder cannot or may not be written to; the format cannot
//                                    express an item
//         The folder then has no file of this dump, unless the final renaming has failed.
Result<std::vector<TransferredTable>> Dump(const TransferParts& parts, const DumpRequest& request,
                                           const fs::path& folder);

// Appends the items of the table `request.table`, which is set, to `text`, a line each.
// Errors: as Dump; ValidationException  the items are more than 256 MB of text
Status DumpText(const TransferParts& parts, const DumpRequest& request, OutputBuffer& text);

}  // namespace hashrange
