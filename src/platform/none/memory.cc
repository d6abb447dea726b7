// A system that tells nothing about memory. The C library of WebAssembly tells how large a block
// is; with another one, no memory counts against a bound on it.
#include "platform/memory.h"

#ifdef __wasi__
#include <malloc.h>
#endif

namespace hashrange {

#ifdef __wasi__
std::size_t AllocatedBytes(const void* block) {
  // The allocator stores one word of its own in front of each block.
  return ::malloc_usable_size(const_cast<void*>(block)) + sizeof(std::size_t);
}
std::int64_t ResidentBytes() {
  constexpr std::int64_t kPageBytes = 64 << 10;
  return static_cast<std::int64_t>(__builtin_wasm_memory_size(0)) * kPageBytes;
}
#else
std::size_t AllocatedBytes(const void*) { return 0; }
std::int64_t ResidentBytes() { return 0; }
#endif

void LimitUnusedHeap() {}
void ReturnFreeMemory() {}
void WaitForMemoryOnThisThread() {}
std::int64_t MemoryOfSystem(const std::string&) { return 0; }

}  // namespace hashrange
