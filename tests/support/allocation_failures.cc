#include "support/allocation_failures.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local std::int64_t allocations_left =
    -1;  // until the first that fails; below 0: all succeed
thread_local bool all_later_fail = false;
thread_local bool has_failed = false;
thread_local std::int64_t allocations = 0;
std::atomic<std::int64_t> blocks_in_use{0};

bool Fails() {
  if (has_failed && all_later_fail) return true;
  if (allocations_left < 0 || allocations_left-- > 0) return false;
  return has_failed = true;
}

void* Allocate(std::size_t bytes) {
  ++allocations;
  if (Fails()) return nullptr;
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory) blocks_in_use.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

}  // namespace

namespace hashrange::test {

AllocationFailures::AllocationFailures(std::int64_t number, Failing failing) {
  has_failed = false;
  all_later_fail = failing == Failing::kAllFrom;
  allocations_left = number;
}
AllocationFailures::~AllocationFailures() {
  allocations_left = -1;
  has_failed = all_later_fail = false;
}
bool AllocationFailures::have_happened() const { return has_failed; }

std::int64_t AllocationCount() { return allocations; }
std::int64_t BlocksInUse() { return blocks_in_use; }

}  // namespace hashrange::test

void* operator new(std::size_t bytes) {
  if (void* const memory = Allocate(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes); }
// Not inlined, as the compiler would warn of the pair of `new` and `free`.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory) blocks_in_use.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
