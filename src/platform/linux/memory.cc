#include "platform/memory.h"

#include <malloc.h>
#include <time.h>

#include <cstdint>
#include <new>

namespace hashrange {
namespace {

constexpr std::int64_t kRetryMs = 5, kMostWaitMs = 60'000;

constinit thread_local bool waits_for_memory = false;
// A wait goes on when the next failure comes at once.
constinit thread_local std::int64_t wait_began_ms = 0, wait_goes_on_until_ms = 0;
std::new_handler handler_of_others = nullptr;  // set once, before a thread waits

std::int64_t SteadyMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Operator new calls this without memory, and tries again when it returns.
void WaitOrFail() {
  if (!waits_for_memory) {
    if (!handler_of_others) throw std::bad_alloc();
    return handler_of_others();
  }
  const std::int64_t now_ms = SteadyMs();
  if (now_ms > wait_goes_on_until_ms) wait_began_ms = now_ms;
  if (now_ms - wait_began_ms > kMostWaitMs) throw std::bad_alloc();
  const timespec pause{0, kRetryMs * 1'000'000};
  nanosleep(&pause, nullptr);
  wait_goes_on_until_ms = SteadyMs() + 1;
}

}  // namespace

std::size_t AllocatedBytes(const void* block) {
  // glibc stores one word of its own in front of each block.
  return ::malloc_usable_size(const_cast<void*>(block)) + sizeof(std::size_t);
}

void LimitUnusedHeap() {
  // By default the allocator raises the trim threshold to twice the largest block that was freed.
  // Setting the trim threshold also stops the allocator from adapting the mapping threshold, the
  // size from which on a block is a mapping of its own. So the mapping threshold is set too, above
  // the size of the buffers that are used often.
  constexpr int kUnusedBytes = 128 << 10;
  constexpr int kMappedBytes = 4 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kUnusedBytes);
  ::mallopt(M_MMAP_THRESHOLD, kMappedBytes);
}

void ReturnFreeMemory() { ::malloc_trim(0); }

void WaitForMemoryOnThisThread() {
  [[maybe_unused]] static const bool is_set = [] {
    handler_of_others = std::get_new_handler();
    std::set_new_handler(WaitOrFail);
    return true;
  }();
  waits_for_memory = true;
}

}  // namespace hashrange
