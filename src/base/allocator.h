// Questions and requests to the system's memory allocator, and the processor time of the process.
// Callable from any thread.
#pragma once

#include <malloc.h>

#include <chrono>
#include <cstddef>

namespace hashrange {

// Returns how many bytes of the process's memory an allocated block takes, the allocator's own
// part included.
inline std::size_t AllocatedBytes(const void* block) {
  // glibc stores one word of its own in front of each block.
  return ::malloc_usable_size(const_cast<void*>(block)) + sizeof(std::size_t);
}

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

// Returns the processor time that all threads of the process have used so far.
std::chrono::nanoseconds ProcessorTime();

}  // namespace hashrange
