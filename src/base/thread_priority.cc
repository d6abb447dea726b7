#include "base/thread_priority.h"

#include <sys/resource.h>

namespace hashrange {

void LowerPriorityOfThisThread() {
  // Not the least: beside threads that want all of the processor it still gets a tenth of their
  // time, and what is to be freed does not pile up.
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, 0, kNice);  // on Linux a thread's own
}

}  // namespace hashrange
