// The exit codes of the program besides 0; docs/options.md and the man page list them.
#pragma once

namespace hashrange {

inline constexpr int kFailure = 1;
inline constexpr int kUsageError = 2;     // an argument is wrong, or does not fit what is there
inline constexpr int kInterrupted = 130;  // the user ended long work early (cli/interruption.h)

}  // namespace hashrange
