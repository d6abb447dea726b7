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

int OpenProcess(int process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Whether the process behind the descriptor ends within the time; −1: until it does.
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
  // Asked after the descriptor was opened: it is the parent's, not that of a later process of
  // its number.
  return ::getppid() == process_;
}

void ParentWatch::Start() const {
  // A descriptor shows the end of the process; the signal the kernel offers for it
  // (PR_SET_PDEATHSIG) comes at the end of the thread that started us.
  std::thread([this] {
    if (descriptor_ >= 0 && IsAlive()) EndsWithin(descriptor_, -1);
    while (IsAlive()) std::this_thread::sleep_for(kInterval);
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

}  // namespace hashrange
