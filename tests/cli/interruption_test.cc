#include "cli/interruption.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace hashrange {
namespace {

// The signals are caught for the rest of a process, so each case has a process of its own.
TEST(Interruption, TheFirstSignalOnlyAsks) {
  const auto asked_by = [](int signal_number) {
    const std::atomic<bool>& stop = CatchInterruption();
    const bool was_asked = stop;
    ::raise(signal_number);
    ::_exit(!was_asked && stop ? 7 : 8);
  };
  EXPECT_EXIT(asked_by(SIGINT), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(asked_by(SIGTERM), testing::ExitedWithCode(7), "");
}

TEST(Interruption, TheSecondSignalEndsTheProcess) {
  const auto interrupted_twice = [] {
    CatchInterruption();
    ::raise(SIGINT);
    ::raise(SIGTERM);
  };
  EXPECT_EXIT(interrupted_twice(), testing::ExitedWithCode(kInterrupted), "");
}

}  // namespace
}  // namespace hashrange
