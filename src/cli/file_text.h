// Files that commands read for their user. Any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace hashrange {

// Returns the content of the file, which may be empty.
// Errors: ValidationException  the file cannot be read; the sentence says why: there is none, it is
//         a directory, …
Result<std::string> ReadFileText(const std::string& name);

}  // namespace hashrange
