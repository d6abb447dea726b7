// Workers: one piece of work on several threads.
#pragma once

#include "absl/functional/function_ref.h"

namespace hashrange {

// Runs `work(worker)` on up to `threads` threads, the caller's among them, worker numbers from 0,
// and returns when all have ended. Where the system gives no more threads they are fewer. Throws
// what one of them has thrown, when all have ended.
void RunOnThreads(int threads, absl::FunctionRef<void(int worker)> work);

// As many threads as the machine has cores.
int ThreadsOfMachine();

}  // namespace hashrange
