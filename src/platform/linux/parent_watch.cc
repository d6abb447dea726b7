#include "platform/parent_watch.h"

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

// Outside of containers, process 1 is a parent only because it adopted this process; in a container
// it may be the starter. The initial namespace always has the same inode number.
bool IsFirstNamespace() {
  constexpr ino_t kFirst = 0xEFFFFFFC;
  struct stat file {};
  return ::stat("/proc/self/ns/pid", &file) == 0 && file.st_ino == kFirst;
}

int OpenProcess(int process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Returns whether the process of the descriptor ends within the timeout. −1: waits until it ends.
bool EndsWithin(int descriptor, int timeout_ms) {
  pollfd end{descriptor, POLLIN, 0};
  int count = 0;
  do {
    count = ::poll(&end, 1, timeout_ms);
  } while (count < 0 && errno == EINTR);
  return count > 0;
}

}  // namespace

ParentWatch::ParentWatch(int starter)
    : is_named_(starter > 0),
      process_(is_named_ ? starter : ::getppid()),
      descriptor_(OpenProcess(process_)) {}

ParentWatch::~ParentWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ParentWatch::IsAlive() const {
  if (is_named_) {
    if (descriptor_ >= 0) return !EndsWithin(descriptor_, 0);
    return ::kill(process_, 0) == 0 || errno == EPERM;
  }
  if (process_ == kInit && IsFirstNamespace()) return false;
  // The parent is compared after the descriptor was opened: so the descriptor belongs to the
  // parent, not to a later process with the same number.
  return ::getppid() == process_;
}

void ParentWatch::Start() const {
  // A descriptor becomes readable at the end of the process. PR_SET_PDEATHSIG is not used: its
  // signal is sent at the end of the thread that started this process.
  std::thread([this] {
    if (descriptor_ >= 0 && IsAlive()) EndsWithin(descriptor_, -1);
    while (IsAlive()) std::this_thread::sleep_for(kInterval);
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

}  // namespace hashrange
