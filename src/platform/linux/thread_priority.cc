#include "platform/thread_priority.h"

#include <sys/resource.h>

namespace hashrange {

void LowerPriorityOfThisThread() {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux this changes only the calling thread
}

}  // namespace hashrange
