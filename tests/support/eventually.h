// Eventually waits for what another thread does; in a build without threads, it does that itself.
//
//   EXPECT_TRUE(Eventually([&] { return queue.is_empty(); }));
#pragma once

#include <chrono>
#include <thread>

#include "base/work_queue.h"

namespace hashrange::test {

// Waits until the condition holds, but for half a minute at most. Returns whether it holds.
template <typename Condition>
bool Eventually(const Condition& holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    RunDueWorks(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace hashrange::test
