// Folders as a seed and a dump look at them. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hashrange {

// The names of what a folder holds, ascending by bytes.
// Errors: ValidationException  it cannot be read. A sentence that begins with the path.
Result<std::vector<std::string>> EntryNamesIn(const std::filesystem::path& folder);

// By following links; false too when it cannot be seen.
bool IsFolder(const std::filesystem::path& path);
bool PathExists(const std::filesystem::path& path);

// "<file>: <what is wrong>", of the error's own kind.
Error WithFileName(std::string_view file, Error error);

}  // namespace hashrange
