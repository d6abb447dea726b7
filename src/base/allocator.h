// What the program asks of the system's allocator beside allocations.
#pragma once

#include <chrono>
#include <cstddef>

namespace hashrange {

// What an allocated block takes of the process's memory, the allocator's own part included.
std::size_t AllocatedBytes(const void* block);

// Has the allocator keep at most some 100 KB of freed memory at the end of each of its heaps, where
// ReturnFreeMemory does not look. For a program to call at its start.
void LimitUnusedHeap();

// Gives back to the system what the allocator keeps of freed memory. Cost: some 100 ms for each
// 500 MB, for which allocations of other threads wait: call it while the process does nothing else.
void ReturnFreeMemory();

// The processor time that all threads of the process have used so far.
std::chrono::nanoseconds ProcessorTime();

}  // namespace hashrange
