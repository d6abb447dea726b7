#include "base/allocator.h"

#include <malloc.h>
#include <time.h>

namespace hashrange {

void LimitUnusedHeap() {
  // By default the allocator raises the trim threshold to twice the largest block that was freed.
  // Setting the trim threshold also stops the allocator from adapting the mapping threshold, the
  // size from which on a block is a mapping of its own. So the mapping threshold is set too, above
  // the size of the buffers that are used often.
  constexpr int kUnusedBytes = 128 << 10;
  constexpr int kMappedBytes = 4 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kUnusedBytes);
  ::mallopt(M_MMAP_THRESHOLD, kMappedBytes);
}

void ReturnFreeMemory() { ::malloc_trim(0); }

std::chrono::nanoseconds ProcessorTime() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace hashrange
