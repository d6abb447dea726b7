#include "transfer/file_bounds.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFileMode = 0666;  // the umask is applied to it

// A descriptor that is closed at the end of its scope. Closing keeps errno, so that the functions
// here can return the reason of a failure in it.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    const int reason = errno;
    if (number_ >= 0) close(number_);
    errno = reason;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// Returns whether a resolved path still contains a link. Such a link leads to nothing that exists.
bool HasLink(fs::path path) {
  std::error_code error;
  for (; path.has_relative_path(); path = path.parent_path()) {
    if (fs::is_symlink(fs::symlink_status(path, error))) return true;
  }
  return false;
}

bool RefuseAccess() {
  errno = EACCES;
  return false;
}

}  // namespace

std::optional<std::string> ResolveFolder(const std::string& folder) {
  std::error_code error;
  const fs::path resolved = fs::canonical(folder, error);
  if (error || !fs::is_directory(resolved, error)) return std::nullopt;
  return resolved.string();
}

bool FileBounds::Contains(const fs::path& resolved) const {
  return std::ranges::any_of(*folders_, [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), resolved.begin(), resolved.end()).first ==
           folder.end();
  });
}

std::optional<fs::path> FileBounds::Resolve(const fs::path& path) const {
  std::error_code error;
  fs::path resolved = fs::absolute(path, error);
  if (error) return std::nullopt;
  resolved = fs::weakly_canonical(resolved, error);
  if (error) return std::nullopt;
  if (!resolved.has_filename()) resolved = resolved.parent_path();
  if (are_set() && (!Contains(resolved) || HasLink(resolved))) return std::nullopt;
  return resolved;
}

// Checks the path that the kernel has for the open file, whatever path it was opened by.
bool FileBounds::ContainsOpened(int descriptor) const {
  std::error_code error;
  const fs::path opened = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
  return (!error && Contains(opened)) || RefuseAccess();
}

int FileBounds::OpenForReading(const fs::path& path) const {
  // Without O_NONBLOCK, opening or reading some files of the system would wait.
  Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.number() < 0 || !are_set()) return file.Release();
  return ContainsOpened(file.number()) ? file.Release() : -1;
}

int FileBounds::OpenParentFolder(const fs::path& path) const {
  Descriptor folder(open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  return folder.number() >= 0 && ContainsOpened(folder.number()) ? folder.Release() : -1;
}

int FileBounds::Create(const fs::path& path) const {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  if (!are_set()) return open(path.c_str(), kFlags | O_TRUNC, kNewFileMode);
  const Descriptor folder(OpenParentFolder(path));
  if (folder.number() < 0) return -1;
  const fs::path name = path.filename();
  if (unlinkat(folder.number(), name.c_str(), 0) != 0 && errno != ENOENT) return -1;
  return openat(folder.number(), name.c_str(), kFlags | O_EXCL | O_NOFOLLOW, kNewFileMode);
}

bool FileBounds::MakeFolder(const fs::path& path) const {
  constexpr mode_t kNewFolderMode = 0777;
  if (!are_set()) return mkdir(path.c_str(), kNewFolderMode) == 0;
  const Descriptor folder(OpenParentFolder(path));
  if (folder.number() < 0) return false;
  return mkdirat(folder.number(), path.filename().c_str(), kNewFolderMode) == 0;
}

bool FileBounds::Remove(const fs::path& path) const {
  if (!are_set()) return std::remove(path.c_str()) == 0;
  const Descriptor folder(OpenParentFolder(path));
  if (folder.number() < 0) return false;
  const fs::path name = path.filename();
  if (unlinkat(folder.number(), name.c_str(), 0) == 0) return true;
  return (errno == EISDIR || errno == EPERM) &&
         unlinkat(folder.number(), name.c_str(), AT_REMOVEDIR) == 0;
}

bool FileBounds::Rename(const fs::path& from, const fs::path& to) const {
  if (!are_set()) return std::rename(from.c_str(), to.c_str()) == 0;
  const Descriptor folder(OpenParentFolder(from));
  if (folder.number() < 0) return false;
  return renameat(folder.number(), from.filename().c_str(), folder.number(),
                  to.filename().c_str()) == 0;
}

}  // namespace hashrange
