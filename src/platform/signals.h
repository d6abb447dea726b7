// Signals that ask the process to end.
#pragma once

#include <atomic>

namespace hashrange {

// From now on, writing to a pipe or socket that nobody reads fails with an error and no signal.
void IgnoreBrokenPipes();

// Keeps SIGINT and SIGTERM from ending the process; every thread that the caller starts afterwards
// leaves them to WaitForStopSignal. Called by the first thread before it starts others.
void BlockStopSignals();
// Waits for one of them.
void WaitForStopSignal();
// SIGINT (Ctrl-C), SIGTERM or SIGHUP (the terminal was closed) asks long work to stop early. A
// later one ends the process at once, with `exit_code`; but one that comes within a second is
// ignored: programs that run this one may pass on what it got already.
//
// Catches these signals from now on, for the rest of the process; SIGHUP stays ignored where it was
// (nohup). Returns what becomes true with the first of them. Called once, by the first thread; any
// thread may read the result.
const std::atomic<bool>& CatchInterruption(int exit_code);

// The same for SIGINT alone, which also ends a blocked system call; a later one changes nothing.
const std::atomic<bool>& CatchCtrlC();

}  // namespace hashrange
