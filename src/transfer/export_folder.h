// ExportFolder: what ExportTableToPointInTime leaves in a bucket
// (docs/service/16-backup-export-import.md, section C).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "transfer/file_bounds.h"

namespace hashrange {

struct ExportFolder {
  std::string table_name;  // as its summary says it; empty without one
  std::vector<std::filesystem::path> files;
};

// `folder` is AWSDynamoDB/<id>, or holds AWSDynamoDB with one export. Nullopt when it is neither.
// Errors: ValidationException  there are several; a manifest cannot be read; a data file is not
//                              there, or is not DynamoDB JSON. A sentence that begins with a path.
Result<std::optional<ExportFolder>> FindExport(const std::filesystem::path& folder,
                                               const FileBounds& bounds = {});

}  // namespace hashrange
