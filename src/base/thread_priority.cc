#include "base/thread_priority.h"

#include <sys/resource.h>

namespace hashrange {

void LowerPriorityOfThisThread() {
  constexpr int kLeast = 19;
  setpriority(PRIO_PROCESS, 0, kLeast);  // on Linux a thread's own
}

}  // namespace hashrange
