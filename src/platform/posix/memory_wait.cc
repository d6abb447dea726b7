#include <time.h>

#include <cstdint>
#include <new>

#include "platform/memory.h"

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

void WaitForMemoryOnThisThread() {
  [[maybe_unused]] static const bool is_set = [] {
    handler_of_others = std::get_new_handler();
    std::set_new_handler(WaitOrFail);
    return true;
  }();
  waits_for_memory = true;
}

}  // namespace hashrange
