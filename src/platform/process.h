// This process. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace hashrange {

int ProcessId();

// Returns the processor time that all threads of the process have used so far.
std::chrono::nanoseconds ProcessorTime();

// Returns the bytes of one page of the system's memory.
std::int64_t PageBytes();

}  // namespace hashrange
