#include "transfer/workers.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <new>

namespace hashrange {
namespace {

TEST(Workers, EachHasANumber) {
  std::array<std::atomic<int>, 4> runs{};
  RunOnThreads(4, [&](int worker) { ++runs[static_cast<std::size_t>(worker)]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST(Workers, WhatOneThrowsIsThrownWhenAllHaveEnded) {
  std::atomic<int> ended{0};
  const auto work = [&](int worker) {
    ++ended;
    if (worker == 2) throw std::bad_alloc();
  };
  EXPECT_THROW(RunOnThreads(4, work), std::bad_alloc);
  EXPECT_EQ(ended, 4);
}

}  // namespace
}  // namespace hashrange
