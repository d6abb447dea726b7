// Functions on folders and file names for seeds and dumps. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file_path.h"
#include "base/result.h"

namespace hashrange {

// Returns the names of the files and folders in a folder, ascending by bytes.
// Errors: ValidationException  the folder cannot be read. The message begins with the path.
Result<std::vector<std::string>> EntryNamesIn(const fs::path& folder);

// IsFolder and PathExists follow links. They return false, too, when the process may not look at
// the path.
bool IsFolder(const fs::path& path);
bool PathExists(const fs::path& path);

// Returns the error with the message "<file>: <message>".
Error WithFileName(std::string_view file, Error error);

}  // namespace hashrange
