// The copy of a data directory that is in use.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/data_directory.h"

namespace hashrange {

// Copies the data as of one instant to `to`, which does not exist or is empty, as a data directory
// that is flushed. Stops when less than `reserve_bytes` are left on the disk of `to`.
// Errors: ValidationException  there cannot be a new directory, `to` has files, or is in the
//                              directory itself
//         InternalServerError  the copy failed; what was copied before is deleted, or cannot be
//                              opened
Status CopyData(const DataDirectory::Use& from, Disk& disk, const std::string& to,
                std::uint64_t reserve_bytes);

}  // namespace hashrange
