// Interruption: SIGINT (Ctrl-C), SIGTERM or SIGHUP (the terminal was closed) asks long work to stop
// early. A later one ends the process at once, with the exit code kInterrupted, but one that comes
// within a second is ignored: programs that run this one may pass on what it got already.
#pragma once

#include <atomic>

namespace hashrange {

// Catches these signals from now on, for the rest of the process; SIGHUP stays ignored where it was
// (nohup). Returns what becomes true with the first of them. Called once, by the first thread; any
// thread may read the result.
const std::atomic<bool>& CatchInterruption();

}  // namespace hashrange
