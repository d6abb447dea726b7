// Memory that was freed, and the system.
#pragma once

#include <chrono>

namespace hashrange {

// Gives back to the system what the allocator keeps of freed memory. Cost: some 100 ms for each
// 500 MB, for which allocations of other threads wait: call it while the process does nothing else.
void ReturnFreeMemory();

// The processor time that all threads of the process have used so far.
std::chrono::nanoseconds ProcessorTime();

}  // namespace hashrange
