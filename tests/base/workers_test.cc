#include "base/workers.h"

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

TEST(Workers, EachJobRunsOnce) {
  std::array<std::atomic<int>, 100> runs{};
  const Status done = RunJobs(3, runs.size(), [&](std::size_t job) {
    ++runs[job];
    return Status();
  });
  EXPECT_TRUE(done.ok());
  for (const auto& count : runs) EXPECT_EQ(count, 1);
  EXPECT_TRUE(RunJobs(3, 0, [](std::size_t) { return ValidationError("no job"); }).ok());
}

TEST(Workers, AfterAnErrorNoJobBegins) {
  std::atomic<int> runs{0};
  const Status failed = RunJobs(1, 100, [&](std::size_t job) -> Status {
    ++runs;
    if (job == 7) return ValidationError("job 7");
    return {};
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "job 7");
  EXPECT_EQ(runs, 8);
  const auto job_that_throws = [](std::size_t) -> Status { throw std::bad_alloc(); };
  EXPECT_THROW((void)RunJobs(2, 3, job_that_throws), std::bad_alloc);
}

}  // namespace
}  // namespace hashrange
