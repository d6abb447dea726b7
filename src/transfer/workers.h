// Functions that run work on several threads. Any thread may call them.
#pragma once

#include "absl/functional/function_ref.h"

namespace hashrange {

// Runs `work(worker)` on `threads` threads, one of which is the caller's, with worker numbers from
// 0, and returns when all have ended. If the system cannot start so many threads, fewer run the
// work. If `work` throws, RunOnThreads throws one of the exceptions after all threads have ended.
void RunOnThreads(int threads, absl::FunctionRef<void(int worker)> work);

// Returns the number of cores of the machine, at least 1.
int ThreadsOfMachine();

}  // namespace hashrange
