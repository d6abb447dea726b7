// Files that `hashrange ctl` reads for its user. Any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace hashrange {

// Returns the content of the file.
// Errors: ValidationException  the file cannot be read
Result<std::string> ReadFileText(const std::string& name);

}  // namespace hashrange
