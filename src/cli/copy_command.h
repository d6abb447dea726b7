// `hashrange copy`: copies tables between endpoints, and from and into folders.
#pragma once

#include "cli/copy_line.h"

namespace hashrange {

// Returns the exit code: 1 if the copy has failed or differs from its source, 2 if nothing was
// copied as the line does not fit what is there, kInterrupted if the user ended it.
int RunCopyLine(const CopyLine& line);

}  // namespace hashrange
