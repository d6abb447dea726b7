#include <sys/resource.h>

#include "platform/process.h"

namespace hashrange {

void RaiseMaxOpenFiles() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

void LowerPriorityOfThisThread() {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux this changes only the calling thread
}

}  // namespace hashrange
