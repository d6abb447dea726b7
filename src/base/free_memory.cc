#include "base/free_memory.h"

#include <malloc.h>
#include <time.h>

namespace hashrange {

void ReturnFreeMemory() { ::malloc_trim(0); }

std::chrono::nanoseconds ProcessorTime() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace hashrange
