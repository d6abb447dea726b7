#include <pthread.h>
#include <sys/qos.h>
#include <sys/resource.h>
#include <sys/syslimits.h>

#include <algorithm>

#include "platform/process.h"

namespace hashrange {

// The system refuses a limit above OPEN_MAX.
void RaiseMaxOpenFiles() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = std::max(files.rlim_cur, std::min<rlim_t>(files.rlim_max, OPEN_MAX));
  ::setrlimit(RLIMIT_NOFILE, &files);
}

// A thread of this class runs beside busy ones, but seldom.
void LowerPriorityOfThisThread() { ::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0); }

}  // namespace hashrange
