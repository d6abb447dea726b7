// What Linux has of its own about files: places, the folder /proc, the numbers of devices.
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "platform/files.h"
#include "platform/posix/null_device.h"

namespace hashrange {
namespace {

constexpr int kFolderPlace = O_PATH | O_DIRECTORY | O_CLOEXEC;

}  // namespace

bool IsNullDevice(const struct stat& file) {
  constexpr unsigned kMemoryDevices = 1, kNull = 3;
  return S_ISCHR(file.st_mode) && file.st_rdev == makedev(kMemoryDevices, kNull);
}

Descriptor OpenRootPlace() { return Descriptor(::open("/", kFolderPlace)); }
Descriptor OpenCurrentPlace() { return Descriptor(::open(".", kFolderPlace)); }

Descriptor OpenPlaceIn(int folder, const std::string& name) {
  return Descriptor(::openat(folder, name.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW));
}

Descriptor FollowPlaceIn(int folder, const std::string& name) {
  return Descriptor(::openat(folder, name.c_str(), kFolderPlace));
}

bool FlushFile(int descriptor) { return ::fsync(descriptor) == 0; }

std::optional<std::string> TargetOfLink(int link) {
  char target[4096];
  const ssize_t size = ::readlinkat(link, "", target, sizeof target);
  if (size == sizeof target) errno = ELOOP;
  if (size < 0 || size == sizeof target) return std::nullopt;
  return std::string(target, static_cast<std::size_t>(size));
}

std::optional<std::string> PathOfOpen(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  if (size < 0 || size == sizeof path) return std::nullopt;
  return std::string(path, static_cast<std::size_t>(size));
}

bool IsOfProcesses(int folder) {
  struct statfs system {};
  return ::fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace hashrange
