// Tests whether the watched process is found alive. conformance/program tests that the server ends
// with it.
#include "platform/parent_watch.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hashrange {
namespace {

// A process that lives until End is called.
class Process {
 public:
  Process() {
    EXPECT_EQ(::pipe(pipe_), 0);
    id_ = ::fork();
    if (id_ == 0) {
      ::close(pipe_[1]);
      char byte;
      ::_exit(static_cast<int>(::read(pipe_[0], &byte, 1)));
    }
    ::close(pipe_[0]);
  }
  ~Process() { Reap(); }

  int id() const { return id_; }
  // Ends the process and waits for that, but does not reap it.
  void End() {
    ::close(pipe_[1]);
    siginfo_t ignored;
    EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(id_), &ignored, WEXITED | WNOWAIT), 0);
    is_ended_ = true;
  }
  void Reap() {
    if (is_reaped_) return;
    if (!is_ended_) End();
    ::waitpid(id_, nullptr, 0);
    is_reaped_ = true;
  }

 private:
  int pipe_[2] = {-1, -1};
  pid_t id_ = -1;
  bool is_ended_ = false;
  bool is_reaped_ = false;
};

TEST(ParentWatch, TheParentRuns) {
  const ParentWatch watch(0);
  EXPECT_TRUE(watch.IsAlive());
}

// Without pidfd_open, an ended process counts as alive until its parent calls waitpid.
bool HasProcessDescriptors() {
#ifdef SYS_pidfd_open
  const long descriptor = ::syscall(SYS_pidfd_open, ::getpid(), 0);
  if (descriptor >= 0) ::close(static_cast<int>(descriptor));
  return descriptor >= 0;
#else
  return false;
#endif
}

TEST(ParentWatch, AProcessThatIsNamedRunsUntilItEnds) {
  if (!HasProcessDescriptors()) GTEST_SKIP() << "the system has no descriptors of processes";
  Process process;
  const ParentWatch watch(process.id());
  EXPECT_TRUE(watch.IsAlive());
  process.End();
  EXPECT_FALSE(watch.IsAlive());
  EXPECT_FALSE(ParentWatch(process.id()).IsAlive());
  process.Reap();
  EXPECT_FALSE(watch.IsAlive());
  EXPECT_FALSE(ParentWatch(process.id()).IsAlive());
}

}  // namespace
}  // namespace hashrange
