// ExportFolder: the files that ExportTableToPointInTime leaves in a bucket
// (docs/service/16-backup-export-import.md, section C). Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/files/file_bounds.h"

namespace hashrange {

struct ExportFolder {
  std::string table_name;  // from the export's summary; empty without a summary
  std::vector<std::filesystem::path> files;
};

// Returns the export in `folder`, which is AWSDynamoDB/<id> or contains AWSDynamoDB with one
// export; nullopt when it is neither.
// Errors: ValidationException  there are several exports; a manifest cannot be read; a data file is
//                              missing or is not DynamoDB JSON. The message begins with a path.
Result<std::optional<ExportFolder>> FindExport(const std::filesystem::path& folder,
                                               const FileBounds& bounds = {});

}  // namespace hashrange
