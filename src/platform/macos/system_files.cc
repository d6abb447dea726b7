// What macOS has of its own about files: places, paths of open files, flushes that reach the disk.
#include <fcntl.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/files.h"
#include "platform/posix/null_device.h"

namespace hashrange {
namespace {

constexpr int kFolderPlace = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

}  // namespace

bool IsNullDevice(const struct stat& file) {
  struct stat null {};
  return S_ISCHR(file.st_mode) && ::stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode) &&
         file.st_rdev == null.st_rdev;
}

Descriptor OpenRootPlace() { return Descriptor(::open("/", kFolderPlace)); }
Descriptor OpenCurrentPlace() { return Descriptor(::open(".", kFolderPlace)); }

// O_SYMLINK opens a link itself; O_EVTONLY needs no right to read the file.
Descriptor OpenPlaceIn(int folder, const std::string& name) {
  return Descriptor(::openat(folder, name.c_str(), O_EVTONLY | O_SYMLINK | O_NONBLOCK | O_CLOEXEC));
}

Descriptor FollowPlaceIn(int folder, const std::string& name) {
  return Descriptor(::openat(folder, name.c_str(), kFolderPlace));
}

// Without F_FULLFSYNC, the disk keeps what was flushed in its own memory. Some file systems do not
// know that request.
bool FlushFile(int descriptor) {
  return ::fcntl(descriptor, F_FULLFSYNC) == 0 || ::fsync(descriptor) == 0;
}

std::optional<std::string> TargetOfLink(int link) {
  const std::optional<std::string> path = PathOfOpen(link);
  if (!path) return std::nullopt;
  char target[4096];
  const ssize_t size = ::readlink(path->c_str(), target, sizeof target);
  if (size == sizeof target) errno = ELOOP;
  if (size < 0 || size == sizeof target) return std::nullopt;
  return std::string(target, static_cast<std::size_t>(size));
}

std::optional<std::string> PathOfOpen(int descriptor) {
  char path[MAXPATHLEN] = "";
  if (::fcntl(descriptor, F_GETPATH, path) != 0) return std::nullopt;
  return std::string(path);
}

// macOS shows no processes as files.
bool IsOfProcesses(int) { return false; }

}  // namespace hashrange
