// The standard streams where they are a terminal. Any thread.
#pragma once

#include <cstddef>
#include <optional>

namespace hashrange {

bool StdoutIsTerminal();
bool StderrIsTerminal();

// Returns the width of the terminal that stdout is; nothing when it is none, or its width is not
// known.
std::optional<std::size_t> StdoutColumns();

}  // namespace hashrange
