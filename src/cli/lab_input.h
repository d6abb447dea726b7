// The lab file of a command of `hashrange lab`. Used by one thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the lab file of that name; "-" is stdin. Its warnings are printed to stderr, a line each.
// Errors: ValidationException  the file cannot be read, or is wrong; the sentence has the place
Result<LabFile> LoadLabFile(const std::string& name);

// Returns an error that names the layout that the lab file does not have, and those that it has.
// Errors: ValidationException  there is such a name
Status CheckLayoutNames(const LabFile& file, const std::vector<std::string>& names);

}  // namespace hashrange
