#include "platform/memory.h"

#include <mach/mach.h>
#include <malloc/malloc.h>
#include <sys/sysctl.h>

#include <cstdint>

namespace hashrange {

// The allocator keeps nothing of its own beside a block.
std::size_t AllocatedBytes(const void* block) { return ::malloc_size(block); }

// The allocator gives back freed pages by itself.
void LimitUnusedHeap() {}

void ReturnFreeMemory() { ::malloc_zone_pressure_relief(nullptr, 0); }

std::int64_t ResidentBytes() {
  mach_task_basic_info_data_t facts{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  const kern_return_t result = ::task_info(::mach_task_self(), MACH_TASK_BASIC_INFO,
                                           reinterpret_cast<task_info_t>(&facts), &count);
  return result == KERN_SUCCESS ? static_cast<std::int64_t>(facts.resident_size) : 0;
}

// The system has no control groups.
std::int64_t MemoryOfSystem(const std::string&) {
  std::uint64_t bytes = 0;
  std::size_t size = sizeof bytes;
  if (::sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) != 0) return 0;
  return static_cast<std::int64_t>(bytes);
}

}  // namespace hashrange
