#include "base/file_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace hashrange {
namespace {

Error CannotRead(std::string_view name, const std::string& why) {
  return ValidationError("cannot read " + std::string(name) + ": " + why);
}

Error CannotRead(std::string_view name, int error_number) {
  return CannotRead(name, std::generic_category().message(error_number));
}

std::string SizeText(std::size_t bytes) {
  constexpr std::size_t kMegabyte = 1 << 20;
  return bytes < kMegabyte ? std::to_string(bytes >> 10) + " KB"
                           : std::to_string(bytes / kMegabyte) + " MB";
}

class OpenedFile {
 public:
  explicit OpenedFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

bool IsNullDevice(const struct stat& file) {
  constexpr unsigned kMemoryDevices = 1, kNull = 3;  // as Linux numbers them
  return S_ISCHR(file.st_mode) && file.st_rdev == makedev(kMemoryDevices, kNull);
}

// Returns why a file of this kind is not read; empty if it is.
std::string WhyNotOfKind(const struct stat& file, FileKinds kinds) {
  const bool reads_pipes = kinds == FileKinds::kFileOrPipe;
  if (S_ISDIR(file.st_mode)) return std::generic_category().message(EISDIR);
  if (S_ISREG(file.st_mode) || IsNullDevice(file)) return {};
  if (S_ISFIFO(file.st_mode) && reads_pipes) return {};
  return reads_pipes ? "it is neither a file nor a pipe" : "it is no file";
}

Result<std::string> ReadToEnd(std::string_view name, int descriptor, std::size_t max_bytes) {
  constexpr std::size_t kStepBytes = 64 << 10;
  std::string text;
  for (;;) {
    const std::size_t begin = text.size();
    // One byte more than allowed shows that the file is too large.
    text.resize(begin + std::min(kStepBytes, max_bytes + 1 - begin));
    ssize_t bytes = 0;
    do {
      bytes = ::read(descriptor, text.data() + begin, text.size() - begin);
    } while (bytes < 0 && errno == EINTR);
    if (bytes < 0) return CannotRead(name, errno);
    text.resize(begin + static_cast<std::size_t>(bytes));
    if (bytes == 0) return text;
    if (text.size() > max_bytes) {
      return CannotRead(name, "it is larger than " + SizeText(max_bytes));
    }
  }
}

}  // namespace

Result<std::string> ReadFileText(const std::string& name, std::size_t max_bytes, FileKinds kinds) {
  // A pipe without a writer would keep the opening waiting.
  const int waiting = kinds == FileKinds::kFile ? O_NONBLOCK : 0;
  const OpenedFile file(::open(name.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC | waiting));
  if (file.descriptor() < 0) return CannotRead(name, errno);
  struct stat found {};
  if (::fstat(file.descriptor(), &found) != 0) return CannotRead(name, errno);
  const std::string why = WhyNotOfKind(found, kinds);
  if (!why.empty()) return CannotRead(name, why);
  return ReadToEnd(name, file.descriptor(), max_bytes);
}

Result<std::string> ReadStdinText() { return ReadToEnd("stdin", STDIN_FILENO, kMaxFileTextBytes); }

}  // namespace hashrange
