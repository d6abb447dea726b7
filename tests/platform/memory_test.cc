#include "platform/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <new>
#include <thread>

namespace hashrange {
namespace {

// A sanitizer's allocator ends the process at the limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)

// Of a block of this size, the process has room for one.
constexpr std::size_t kBytes = 512 << 20;

void LimitMemoryTo(std::size_t more_bytes) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more_bytes;
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
}

// Ends the process with 0 when a thread waits for a block until there is room for it, while another
// thread is told at once that there is none.
[[noreturn]] void TakeABlockThatIsFreedLater() {
  void* held = ::operator new(kBytes);
  std::atomic<bool> has_limit{false}, is_there{false};
  std::thread waiting([&] {
    WaitForMemoryOnThisThread();
    has_limit.wait(false);
    ::operator delete(::operator new(kBytes));
    is_there = true;
  });
  LimitMemoryTo(kBytes / 2);
  has_limit = true;
  has_limit.notify_one();
  int refusals = 0;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    void* const more = ::operator new(kBytes, std::nothrow);
    if (!more) ++refusals;
    ::operator delete(more);
  }
  const bool was_early = is_there;
  ::operator delete(held);
  waiting.join();
  std::_Exit(refusals == 20 && !was_early && is_there ? 0 : 1);
}

TEST(WaitForMemory, AnAllocationWaitsUntilThereIsRoom) {
  EXPECT_EXIT(TakeABlockThatIsFreedLater(), testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace hashrange
