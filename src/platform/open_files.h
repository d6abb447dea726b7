// How many files and sockets the system lets this process have open at a time.
#pragma once

#include <optional>

namespace hashrange {

// Returns the limit; nothing when it is not known.
std::optional<int> MaxOpenFiles();

// Raises the limit as far as the process may.
void RaiseMaxOpenFiles();

}  // namespace hashrange
