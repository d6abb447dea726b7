#include "platform/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace hashrange {

std::size_t AllocatedBytes(const void* block) {
  // glibc stores one word of its own in front of each block.
  return ::malloc_usable_size(const_cast<void*>(block)) + sizeof(std::size_t);
}

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

namespace {

namespace fs = std::filesystem;

// Returns the number in the file; INT64_MAX when there is no file, or "max" in it.
std::int64_t LimitIn(const fs::path& path) {
  std::ifstream file(path);
  std::int64_t limit = 0;
  return file >> limit && limit > 0 ? limit : INT64_MAX;
}

// Returns the least limit of a control group and of those that contain it. Inside a container the
// group's own folder may be missing: the container sees its group as the top one.
std::int64_t LeastLimit(const fs::path& top, const fs::path& group, const char* file) {
  std::int64_t least = LimitIn(top / file);
  fs::path folder = top;
  for (const fs::path& part : group.relative_path()) {
    folder /= part;
    least = std::min(least, LimitIn(folder / file));
  }
  return least;
}

bool HasController(std::string_view list, std::string_view name) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (list.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

// A line of /proc/self/cgroup is "0::/group" for version 2, or "7:cpu,memory:/group" for version 1.
std::int64_t LimitOfLine(const fs::path& root, const std::string& line) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
  if (second == line.npos) return INT64_MAX;
  const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
  const fs::path group = line.substr(second + 1);
  const fs::path groups = root / "sys/fs/cgroup";
  if (controllers.empty()) {
    // Beside groups of version 1, the groups of version 2 are in a folder of their own.
    return std::min(LeastLimit(groups, group, "memory.max"),
                    LeastLimit(groups / "unified", group, "memory.max"));
  }
  if (!HasController(controllers, "memory")) return INT64_MAX;
  return LeastLimit(groups / "memory", group, "memory.limit_in_bytes");
}

std::int64_t MemoryOfMachine() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? std::int64_t{pages} * page_bytes : INT64_MAX;
}

}  // namespace

std::int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all_pages = 0, resident_pages = 0;
  file >> all_pages >> resident_pages;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

std::int64_t MemoryOfSystem(const std::string& root_path) {
  const fs::path root = root_path;
  std::int64_t least = MemoryOfMachine();
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    least = std::min(least, LimitOfLine(root, line));
  }
  return least == INT64_MAX ? 0 : least;
}

}  // namespace hashrange
