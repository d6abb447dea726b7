// Interruption: SIGINT (Ctrl-C) or SIGTERM asks long work to stop early. A second one ends the
// process at once, with the exit code kInterrupted.
#pragma once

#include <atomic>

namespace hashrange {

inline constexpr int kInterrupted = 130;

// Catches both signals from now on, for the rest of the process. Returns what becomes true with the
// first of them. Called once, by the first thread; any thread may read the result.
const std::atomic<bool>& CatchInterruption();

}  // namespace hashrange
