#include "platform/process.h"

#include <time.h>
#include <unistd.h>

namespace hashrange {

int ProcessId() { return ::getpid(); }

std::chrono::nanoseconds ProcessorTime() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

std::int64_t PageBytes() { return ::sysconf(_SC_PAGESIZE); }

}  // namespace hashrange
