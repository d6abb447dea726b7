#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace hashrange {
namespace {

constexpr mode_t kReadWrite = 0666;  // the umask of the process restricts this

std::string FileComplaint(const std::string& name) {
  return "cannot write " + name + ": " + std::generic_category().message(errno);
}

// Removes the old content of an ordinary file; a pipe or a device has none.
bool IsEmptied(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0) return false;
  return !S_ISREG(file.st_mode) || ::ftruncate(descriptor, 0) == 0;
}

bool WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

OutputFile::OutputFile(std::string name, int descriptor, bool is_new)
    : name_(std::move(name)), descriptor_(descriptor), is_new_(is_new) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_new_(std::exchange(other.is_new_, false)) {}

OutputFile::~OutputFile() {
  if (is_new_) ::unlink(name_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<OutputFile> OutputFile::Make(std::string name) {
  const int made = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadWrite);
  if (made < 0) return ValidationError(FileComplaint(name));
  return OutputFile(std::move(name), made, true);
}

Result<OutputFile> OutputFile::Open(std::string name) {
  if (Result<OutputFile> made = Make(name); made.ok()) return made;
  const int found = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kReadWrite);
  if (found < 0) return ValidationError(FileComplaint(name));
  return OutputFile(std::move(name), found, false);
}

Status OutputFile::Write(std::string_view text) {
  is_new_ = false;
  if (IsEmptied(descriptor_) && WriteAll(descriptor_, text)) return {};
  return Error{ErrorCode::kInternalServerError, FileComplaint(name_), nullptr};
}

}  // namespace hashrange
