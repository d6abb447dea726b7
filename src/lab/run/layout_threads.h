// LayoutThreads: runs several jobs on a few threads; which thread runs a job does not matter.
#pragma once

#include <cstddef>
#include <functional>

namespace hashrange {

// Calls `job` once for each number below `jobs`, on at most `threads` threads, and returns when all
// calls have returned. Numbers are begun in ascending order. 0 threads: as many as the machine has.
void RunJobs(std::size_t jobs, int threads, const std::function<void(std::size_t)>& job);

}  // namespace hashrange
