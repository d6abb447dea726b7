// Dump: tables → files that a seed reads back, as of one instant. Meanwhile nobody waits: the
// tables are pinned and then read without a lock. Files are written with this program's rights.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/output_buffer.h"
#include "base/result.h"
#include "operation/caller.h"
#include "transfer/data_format.h"
#include "transfer/file_bounds.h"
#include "transfer/seed.h"
#include "transfer/transfer_parts.h"

namespace hashrange {

struct DumpRequest {
  Caller caller = {};
  std::optional<std::string> table = {};      // not given: all of the caller's
  DataFormat format = DataFormat::kDynamoDb;  // or kJson
  bool compresses = false;
  bool overwrites = false;  // a folder that is no dump
  FileBounds bounds = {};   // the folder, by its Resolve, and what it leads to
};

// Writes definitions and items into a folder (dump_folder.h). The tables, ascending by name.
// Errors: ResourceNotFoundException  there is no such table
//         ResourceInUseException     it is being created or deleted
//         ValidationException        the folder cannot be written to, or may not; the format has
//                                    no form for an item. Nothing is written then.
Result<std::vector<TransferredTable>> Dump(const TransferParts& parts, const DumpRequest& request,
                                           const std::filesystem::path& folder);

// Appends the items of the one table to `text`, a line each.
// Errors: as Dump; ValidationException  they are more than 256 MB
Status DumpText(const TransferParts& parts, const DumpRequest& request, OutputBuffer& text);

}  // namespace hashrange
