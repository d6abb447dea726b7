// This process and its threads: what they use, and what the system lets them use. Any thread.
#pragma once

#include <chrono>
#include <optional>

namespace hashrange {

int ProcessId();

// Returns the processor time that all threads of the process have used so far.
std::chrono::nanoseconds ProcessorTime();

// Returns how many files and sockets the process may have open at a time; nothing when it is not
// known.
std::optional<int> MaxOpenFiles();
// Raises that limit as far as the process may.
void RaiseMaxOpenFiles();

// Makes other threads that want the processor run before the calling thread, as far as the system
// allows that. Beside threads that want all of the processor, the thread still gets a tenth of
// their time, so that its work, such as freeing memory, does not pile up.
void LowerPriorityOfThisThread();

}  // namespace hashrange
