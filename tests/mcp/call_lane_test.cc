#include "mcp/call_lane.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <mutex>
#include <string>

namespace hashrange {
namespace {

std::chrono::steady_clock::time_point Later() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(5);
}

TEST(CallLane, ATaskThatHangsIsNotWaitedForLonger) {
  CallLane lane;
  std::promise<void> let_go;
  EXPECT_TRUE(lane.Post([&] { let_go.get_future().wait(); }));
  EXPECT_FALSE(lane.FinishUntil(std::chrono::steady_clock::now()));
  let_go.set_value();
  EXPECT_TRUE(lane.FinishUntil(Later()));
}

TEST(CallLane, TasksRunInTheirOrder) {
  std::string order;
  {
    CallLane lane;
    for (const char c : {'a', 'b', 'c'}) {
      EXPECT_TRUE(lane.Post([&order, c] { order += c; }));
    }
    EXPECT_TRUE(lane.FinishUntil(Later()));
  }
  EXPECT_EQ(order, "abc");
}

TEST(CallLane, WhatIsTooMuchIsRefused) {
  std::mutex gate;
  int runs = 0;
  CallLane lane;
  {
    std::lock_guard lock(gate);
    std::size_t posted = 0;
    while (lane.Post([&] {
      std::lock_guard inner(gate);
      ++runs;
    })) {
      ++posted;
    }
    // One more than wait may be under way.
    EXPECT_GE(posted, CallLane::kMostWaiting);
    EXPECT_LE(posted, CallLane::kMostWaiting + 1);
  }
  EXPECT_TRUE(lane.FinishUntil(Later()));
  EXPECT_GE(runs, static_cast<int>(CallLane::kMostWaiting));
}

}  // namespace
}  // namespace hashrange
