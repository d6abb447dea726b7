// No descriptor stands for a process: the watch asks every 100 ms.
#include "platform/parent_watch.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace hashrange {
namespace {

constexpr int kLaunchd = 1;  // adopts the processes whose parent has ended
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

ParentWatch::ParentWatch(int starter)
    : is_named_(starter > 0), process_(is_named_ ? starter : ::getppid()), descriptor_(-1) {}

ParentWatch::~ParentWatch() = default;

bool ParentWatch::IsAlive() const {
  if (is_named_) return ::kill(process_, 0) == 0 || errno == EPERM;
  return process_ != kLaunchd && ::getppid() == process_;
}

void ParentWatch::Start() const {
  std::thread([this] {
    while (IsAlive()) std::this_thread::sleep_for(kInterval);
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

}  // namespace hashrange
