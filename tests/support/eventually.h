// Eventually waits for what another thread is about to do.
#pragma once

#include <chrono>
#include <thread>

namespace hashrange::test {

// Returns true as soon as `holds()` does, and false when it does not within 30 seconds.
template <typename Condition>
bool Eventually(const Condition& holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace hashrange::test
