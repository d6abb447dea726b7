#include "platform/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "platform/posix/null_device.h"

namespace hashrange {
namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kFolderMode = 0700;
constexpr int kStream = O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC;

FileKind KindOf(const struct stat& file) {
  if (S_ISREG(file.st_mode)) return FileKind::kFile;
  if (S_ISDIR(file.st_mode)) return FileKind::kFolder;
  if (S_ISLNK(file.st_mode)) return FileKind::kLink;
  if (S_ISFIFO(file.st_mode)) return FileKind::kPipe;
  return IsNullDevice(file) ? FileKind::kNullDevice : FileKind::kOther;
}

FileFacts FactsOf(const struct stat& file) {
  return {.kind = KindOf(file),
          .owner = file.st_uid,
          .group = file.st_gid,
          .mode = static_cast<std::uint32_t>(file.st_mode & 07777),
          .group_may_write = (file.st_mode & S_IWGRP) != 0,
          .others_may_write = (file.st_mode & S_IWOTH) != 0,
          .is_sticky = (file.st_mode & S_ISVTX) != 0,
          .names = file.st_nlink,
          .file_number = file.st_ino,
          .device_number = static_cast<std::uint64_t>(file.st_dev)};
}

}  // namespace

std::optional<FileFacts> FactsOf(int descriptor) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) return std::nullopt;
  return FactsOf(found);
}

std::optional<FileFacts> FactsIn(int folder, const std::string& name) {
  struct stat found {};
  if (::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return FactsOf(found);
}

bool OthersMayRead(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && (found.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

std::uint32_t EffectiveUser() { return ::geteuid(); }

Descriptor CreateFileIn(int folder, const std::string& name) {
  Descriptor file(::openat(folder, name.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode));
  // The umask may have taken rights from the mode.
  if (file.is_open() && ::fchmod(file.number(), kFileMode) != 0) return Descriptor();
  return file;
}

Descriptor OpenFileIn(int folder, const std::string& name) {
  return Descriptor(
      ::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

Descriptor OpenStreamIn(int folder, const std::string& name) {
  return Descriptor(::openat(folder, name.c_str(), kStream | O_NOFOLLOW));
}

Descriptor OpenStream(const std::string& path) { return Descriptor(::open(path.c_str(), kStream)); }

Descriptor OpenForWriting(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
}

bool WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool CutOpenFile(int descriptor, std::int64_t size_bytes) {
  return ::ftruncate(descriptor, size_bytes) == 0 && ::lseek(descriptor, size_bytes, SEEK_SET) >= 0;
}

bool FlushFolder(int folder) {
  const Descriptor opened(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.is_open() && (FlushFile(opened.number()) || errno == EINVAL);
}

bool MakeFolderIn(int folder, const std::string& name) {
  // The umask may have taken rights from the mode. Nobody else can exchange the folder meanwhile.
  return ::mkdirat(folder, name.c_str(), kFolderMode) == 0 &&
         ::fchmodat(folder, name.c_str(), kFolderMode, 0) == 0;
}

bool RenameIn(int folder, const std::string& from, const std::string& to) {
  return ::renameat(folder, from.c_str(), folder, to.c_str()) == 0;
}

bool RemoveFileIn(int folder, const std::string& name) {
  return ::unlinkat(folder, name.c_str(), 0) == 0;
}

bool RemoveFolderIn(int folder, const std::string& name) {
  return ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0;
}

bool MayMakeFilesIn(int folder) { return ::faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0; }

bool LockFile(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

bool IsLockedByOther(int descriptor) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

std::optional<std::uint64_t> FreeBytes(const std::string& folder) {
  struct statvfs facts;
  if (::statvfs(folder.c_str(), &facts) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(facts.f_bavail) * facts.f_frsize;
}

}  // namespace hashrange
