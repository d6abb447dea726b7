#include "cli/parent_watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace hashrange {
namespace {

constexpr int kInit = 1;
constexpr std::chrono::milliseconds kInterval{100};

// Outside of containers the first process only adopts; in one it may well be who starts us.
// The first of all namespaces has a number of its own, always the same.
bool IsFirstNamespace() {
  constexpr ino_t kFirst = 0xEFFFFFFC;
  struct stat file {};
  return ::stat("/proc/self/ns/pid", &file) == 0 && file.st_ino == kFirst;
}

int Open(int process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Until the process behind the descriptor has ended.
void AwaitEnd(int descriptor) {
  pollfd end{descriptor, POLLIN, 0};
  while (::poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
}

}  // namespace

ParentWatch::ParentWatch() : parent_(::getppid()), descriptor_(Open(parent_)) {}

ParentWatch::~ParentWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ParentWatch::IsAlive() const {
  if (parent_ == kInit && IsFirstNamespace()) return false;
  // Asked after the descriptor was opened: it is the parent's, not that of a later process of
  // its number.
  return ::getppid() == parent_;
}

void ParentWatch::Start() const {
  // A descriptor shows the end of the process; the signal the kernel offers for it
  // (PR_SET_PDEATHSIG) comes at the end of the thread that started us.
  std::thread([this] {
    if (descriptor_ >= 0 && IsAlive()) AwaitEnd(descriptor_);
    while (IsAlive()) std::this_thread::sleep_for(kInterval);
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

}  // namespace hashrange
