// The part of platform/files.h that opens and reads files, of functions that POSIX and WASI have.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "platform/files.h"

namespace hashrange {

Descriptor::~Descriptor() {
  const int reason = errno;
  if (number_ >= 0) ::close(number_);
  errno = reason;
}

Descriptor OpenForReading(const std::string& path, PipeWaits waits) {
  const int waiting = waits == PipeWaits::kYes ? 0 : O_NONBLOCK;
  return Descriptor(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC | waiting));
}

std::optional<std::size_t> ReadSome(int descriptor, std::span<char> room) {
  ssize_t bytes = 0;
  do {
    bytes = ::read(descriptor, room.data(), room.size());
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

std::FILE* ReadableFile(Descriptor descriptor) {
  std::FILE* const file = ::fdopen(descriptor.number(), "rb");
  if (file) descriptor.Release();
  return file;
}

std::optional<std::int64_t> SizeOfFile(int descriptor) {
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end < 0) return std::nullopt;
  return end;
}

std::optional<std::vector<std::string>> NamesInFolder(const std::string& path) {
  // std::filesystem's iterator ends the program when it runs out of memory.
  errno = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(path.c_str()), ::closedir);
  std::vector<std::string> names;
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return std::nullopt;
  return names;
}

}  // namespace hashrange
