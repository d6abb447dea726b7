// Every case has a time limit, and the program says which case has exceeded it.
#include <csignal>

#include <gtest/gtest.h>
#include <unistd.h>

namespace hashrange {
namespace {

TEST(CaseLimit, IsSetWhileACaseRuns) {
  const unsigned left_s = alarm(0);
  EXPECT_GT(left_s, 0u);
  alarm(left_s);
}

TEST(CaseLimitDeathTest, SaysWhichCaseDoesNotEnd) {
  EXPECT_DEATH(std::raise(SIGALRM),
               "CaseLimitDeathTest.SaysWhichCaseDoesNotEnd has taken longer than .* s: it waits");
}

}  // namespace
}  // namespace hashrange
