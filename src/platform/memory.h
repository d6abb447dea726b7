// The memory of this process: questions and requests to the system's allocator, and how much memory
// there is. Callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hashrange {

// Returns how many bytes of the process's memory an allocated block takes, the allocator's own
// part included.
std::size_t AllocatedBytes(const void* block);

// Makes the allocator keep at most some 100 KB of freed memory at the end of each of its heaps.
// ReturnFreeMemory returns that memory for the first heap only. A program calls LimitUnusedHeap
// once, at its start.
void LimitUnusedHeap();

// Gives back to the system the freed memory that the allocator keeps. Cost: some 100 ms for each
// 500 MB. Allocations of other threads wait meanwhile: call it while the process is idle.
void ReturnFreeMemory();

// From now on, an allocation of the calling thread by operator new that finds no memory waits for
// it, a minute at most, before it fails. For threads of libraries, which an exception would end
// with the process. The first call replaces the process's handler for want of memory, which is
// still called for other threads.
void WaitForMemoryOnThisThread();

// Returns how many bytes of the machine's memory the process has; 0 when it is not known.
// Cost: a file is read.
std::int64_t ResidentBytes();

// Returns the least limit of memory of the process's control groups (cgroup v1 or v2), or the
// memory of the machine when that is less; 0 when neither is known. `root` is the folder in which
// the system's files are looked up: "/", but for tests.
// Cost: some files are read.
std::int64_t MemoryOfSystem(const std::string& root = "/");

}  // namespace hashrange
