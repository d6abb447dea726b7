// Makes allocations of a test's thread fail: a test that links allocation_failures.cc has its
// operator new replaced. It also counts the allocations, and the blocks that are not freed.
#pragma once

#include <cstdint>

namespace hashrange::test {

enum class Failing {
  kOne,      // one allocation fails
  kAllFrom,  // it and all later ones fail
};

// While it lives, allocations of the thread that made it fail: the one with the number `number`,
// from 0 on, and with Failing::kAllFrom those after it. One lives at a time on each thread.
class AllocationFailures {
 public:
  AllocationFailures(std::int64_t number, Failing failing);
  ~AllocationFailures();
  AllocationFailures(const AllocationFailures&) = delete;
  AllocationFailures& operator=(const AllocationFailures&) = delete;

  // Returns whether an allocation has failed.
  bool have_happened() const;
};

// Returns how often this thread has called operator new so far.
std::int64_t AllocationCount();

// Returns how many blocks of operator new are not freed, of all threads.
std::int64_t BlocksInUse();

}  // namespace hashrange::test
