// Counts what this program takes from the heap.
#pragma once

namespace hashrange::testing {

// The calls of operator new on this thread so far.
long AllocationCount();

}  // namespace hashrange::testing
