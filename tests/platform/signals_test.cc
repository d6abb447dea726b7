#include "platform/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace hashrange {
namespace {

constexpr int kExitCode = 130;

// The signals are caught for the rest of a process, so each case has a process of its own.
TEST(Interruption, TheFirstSignalOnlyAsks) {
  const auto asked_by = [](int signal_number) {
    const std::atomic<bool>& stop = CatchInterruption(kExitCode);
    const bool was_asked = stop;
    ::raise(signal_number);
    ::_exit(!was_asked && stop ? 7 : 8);
  };
  EXPECT_EXIT(asked_by(SIGINT), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(asked_by(SIGTERM), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(asked_by(SIGHUP), testing::ExitedWithCode(7), "");
}

TEST(Interruption, ALaterSignalEndsTheProcess) {
  const auto interrupted_again = [] {
    CatchInterruption(kExitCode);
    ::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    ::raise(SIGTERM);
  };
  EXPECT_EXIT(interrupted_again(), testing::ExitedWithCode(kExitCode), "");
}

TEST(Interruption, ASignalThatComesTwiceIsOne) {
  const auto interrupted_twice = [] {
    const std::atomic<bool>& stop = CatchInterruption(kExitCode);
    ::raise(SIGINT);
    ::raise(SIGINT);
    ::_exit(stop ? 7 : 8);
  };
  EXPECT_EXIT(interrupted_twice(), testing::ExitedWithCode(7), "");
}

TEST(Interruption, WhereHangupsAreIgnoredTheyStayIgnored) {
  const auto hung_up = [] {
    ::signal(SIGHUP, SIG_IGN);
    const std::atomic<bool>& stop = CatchInterruption(kExitCode);
    ::raise(SIGHUP);
    ::_exit(stop ? 8 : 7);
  };
  EXPECT_EXIT(hung_up(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace hashrange
