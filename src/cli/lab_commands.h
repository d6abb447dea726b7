// The commands of `hashrange lab`: a lab file is read, and run, explained or checked in this
// process. Called once, by the first thread.
#pragma once

#include "cli/lab_line.h"

namespace hashrange {

// Does what the line asks for and prints the result. Returns the exit code: 0 on success; 1 when
// `check` found a limit that does not hold, when a result cannot be written, and when the run at an
// endpoint could not go on; 2 when the lab file or the line is wrong, and for `check`, when there
// is no verdict; 130 when the run was interrupted, after a report of what was done until then.
int RunLabLine(const LabLine& line);

}  // namespace hashrange
