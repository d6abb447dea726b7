// PrefixedLab: a lab file for a run at an endpoint: its tables have names of their own, so that no
// table of somebody else is touched. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the file with the prefix and the number of the layout before the name of each table, in
// the requests of `serve`, too: "hashrange-lab-abcdef-2-shop". So a table that is being removed
// never has the name of the next layout's. The file is without what differs from endpoint to
// endpoint or exists on simulated time only: time to live and the latency of the client. Errors:
// ValidationException  a name with the prefix is no name of a table: 3 to 255 letters,
//         digits, '_', '-' and '.'
Result<LabFile> PrefixedLab(const LabFile& file, std::string_view prefix);

// Returns a prefix that nobody has: "hashrange-lab-" and six random letters with a hyphen.
std::string UniquePrefix();

}  // namespace hashrange
