// Ends the program when one test case takes longer than any case should, and names the case.
// Without this limit, a case that waits for ever would block all others until the whole program is
// stopped. Linked into every test program.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sanitized.h"

namespace hashrange {
namespace {

constexpr unsigned kMostSeconds = kIsSanitized ? 240 : 60;

// The sentence about the present case. It is ready before the signal comes, as a signal handler may
// not allocate.
char sentence[512];

void EndProgram(int /*signal*/) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence, std::strlen(sentence));
  std::abort();
}

class CaseLimit : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& test) override {
    const std::string text = std::string("\n") + test.test_suite_name() + "." + test.name() +
                             " has taken longer than " + std::to_string(kMostSeconds) +
                             " s: it waits for something that does not come, or does not end.\n";
    sentence[text.copy(sentence, sizeof sentence - 1)] = '\0';
    std::signal(SIGALRM, EndProgram);
    alarm(kMostSeconds);
  }
  void OnTestEnd(const testing::TestInfo& /*test*/) override { alarm(0); }
};

const bool is_limited = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new CaseLimit);  // which owns it
  return true;
}();

}  // namespace
}  // namespace hashrange
