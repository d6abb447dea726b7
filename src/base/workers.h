// Functions that run work on several threads. Any thread may call them.
#pragma once

#include <cstddef>
#include <functional>

#include "base/result.h"

namespace hashrange {

// Runs `work(worker)` on `threads` threads, one of which is the caller's, with worker numbers from
// 0, and returns when all have ended. If the system cannot start so many threads, fewer run the
// work; in a build without threads, only the caller's does. If `work` throws, RunOnThreads throws
// one of the exceptions after all threads have ended.
void RunOnThreads(int threads, const std::function<void(int worker)>& work);

// Calls `job` once for each number below `count`, on the caller's thread and on up to `threads` − 1
// others. Jobs that have not begun when one returns an error, or throws, are left out. Returns that
// error, or throws that exception, after all threads have ended.
Status RunJobs(int threads, std::size_t count, const std::function<Status(std::size_t)>& job);

// Returns the number of cores of the machine, at least 1.
int ThreadsOfMachine();

}  // namespace hashrange
