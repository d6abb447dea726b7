#include "mcp/call_lane.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>

namespace hashrange {
namespace {

TEST(CallLane, TasksRunInTheirOrder) {
  std::string order;
  {
    CallLane lane;
    for (const char c : {'a', 'b', 'c'}) {
      EXPECT_TRUE(lane.Post([&order, c] { order += c; }));
    }
    lane.Finish();
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
  lane.Finish();
  EXPECT_GE(runs, static_cast<int>(CallLane::kMostWaiting));
}

}  // namespace
}  // namespace hashrange
