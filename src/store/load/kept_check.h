// Checks and compacts data directories that no server uses, for `hashrange check` and
// `hashrange compact`.
#pragma once

#include <string>

#include "base/result.h"
#include "store/directory_check.h"

namespace hashrange {

// Reads all that the directory holds, and reports what is damaged.
// Errors: those of CheckDirectory
Result<DirectoryReport> CheckKeptData(const std::string& directory);

}  // namespace hashrange
