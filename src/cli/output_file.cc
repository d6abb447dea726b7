#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

// Returns the directory of the file, with a slash behind it.
std::string DirectoryOf(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "./" : name.substr(0, slash + 1);
}

// Returns whether a file of that name can be made.
bool CanBeMade(const std::string& name) {
  if (!name.ends_with('/')) return ::access(DirectoryOf(name).c_str(), W_OK | X_OK) == 0;
  errno = EISDIR;
  return false;
}

// Writes the text to a file of another name, which then takes the name. Returns whether it did;
// where it did not, nothing is left behind.
bool IsWrittenAndNamed(const std::string& name, std::string_view text) {
  const std::string other = DirectoryOf(name) + ".hashrange-" + std::to_string(::getpid()) + ".tmp";
  const int made = ::open(other.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadWrite);
  if (made < 0) return false;
  const bool is_written = WriteAll(made, text);
  const int why = errno;
  ::close(made);
  if (is_written && std::rename(other.c_str(), name.c_str()) == 0) return true;
  const int error = is_written ? errno : why;
  ::unlink(other.c_str());
  errno = error;
  return false;
}

}  // namespace

OutputFile::OutputFile(std::string name, int descriptor, bool is_made)
    : name_(std::move(name)), descriptor_(descriptor), is_made_(is_made) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_made_(std::exchange(other.is_made_, false)) {}

OutputFile::~OutputFile() {
  if (is_made_) ::unlink(name_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<OutputFile> OutputFile::Make(std::string name) {
  const int made = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadWrite);
  if (made < 0) return ValidationError(FileComplaint(name));
  return OutputFile(std::move(name), made, true);
}

Result<OutputFile> OutputFile::Open(std::string name) {
  const int found = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  const bool may_be_written = found >= 0 || (errno == ENOENT && CanBeMade(name));
  if (!may_be_written) return ValidationError(FileComplaint(name));
  return OutputFile(std::move(name), found, false);
}

Status OutputFile::Write(std::string_view text) {
  const bool is_written = descriptor_ < 0 ? IsWrittenAndNamed(name_, text)
                                          : IsEmptied(descriptor_) && WriteAll(descriptor_, text);
  if (is_written) {
    is_made_ = false;
    return {};
  }
  return Error{ErrorCode::kInternalServerError, FileComplaint(name_), nullptr};
}

}  // namespace hashrange
