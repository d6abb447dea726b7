// AllocationCount says how often a test's thread allocates: a test that links
// allocation_counter.cc has its operator new replaced by one that counts.
#pragma once

namespace hashrange::testing {

// Returns how often this thread has called operator new so far.
long AllocationCount();

}  // namespace hashrange::testing
