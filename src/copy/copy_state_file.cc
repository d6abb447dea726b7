#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "copy/copy_state.h"
#include "transfer/byte_source.h"
#include "transfer/folder.h"

namespace hashrange {
namespace {

constexpr std::chrono::milliseconds kWrittenEvery{200};
constexpr std::size_t kMaxStateBytes = 256 << 20;

Error StateError(ErrorCode code, const std::filesystem::path& path, const std::string& why) {
  return {code, path.string() + ": " + why, nullptr};
}

std::string SystemMessage() { return std::generic_category().message(errno); }

// Returns whether the whole text was written.
bool WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Returns whether the descriptor is of the file that has the name now.
bool IsFileAt(int descriptor, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

Result<std::unique_ptr<CopyStateFile>> CopyStateFile::Begin(const std::filesystem::path& path,
                                                            CopyState state) {
  // Only one process can create the file: who has it, locked, may replace it.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return StateError(ErrorCode::kValidationException, path,
                      errno == EEXIST ? "there is such a file already"
                                      : "it cannot be written: " + SystemMessage());
  }
  std::unique_ptr<CopyStateFile> file(new CopyStateFile(path, std::move(state)));
  file->descriptor_ = descriptor;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return StateError(ErrorCode::kValidationException, path, "another copy is using it");
  }
  const Status written = file->Write();
  if (written.ok()) return file;
  ::unlink(path.c_str());
  return written.error();
}

Result<std::unique_ptr<CopyStateFile>> CopyStateFile::Continue(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return StateError(
        errno == ENOENT ? ErrorCode::kResourceNotFoundException : ErrorCode::kValidationException,
        path, SystemMessage());
  }
  std::unique_ptr<CopyStateFile> file(new CopyStateFile(path, {}));
  file->descriptor_ = descriptor;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || !IsFileAt(descriptor, path)) {
    return StateError(ErrorCode::kValidationException, path, "another copy is using it");
  }
  auto text = ReadWholeFile(path, kMaxStateBytes);
  if (!text.ok()) return std::move(text).error();
  auto state = ParseCopyState(*text);
  if (!state.ok()) return WithFileName(path.string(), std::move(state).error());
  file->state_ = std::move(*state);
  return file;
}

CopyStateFile::~CopyStateFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

CopyState CopyStateFile::Get() const {
  std::lock_guard lock(mutex_);
  return state_;
}

Status CopyStateFile::Update(const Change& change) {
  std::lock_guard lock(mutex_);
  change(state_);
  if (std::chrono::steady_clock::now() < next_write_) return {};
  return Write();
}

Status CopyStateFile::UpdateNow(const Change& change) {
  std::lock_guard lock(mutex_);
  change(state_);
  return Write();
}

// The new file is locked before it gets the name, so there is no moment without a lock. Nobody else
// writes it, as the file of the name is locked; an earlier process may have left one.
Status CopyStateFile::Write() {
  const std::filesystem::path next = std::filesystem::path(path_).concat(".new");
  ::unlink(next.c_str());
  const int descriptor = ::open(next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool is_written = descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
                          WriteAll(descriptor, CopyStateText(state_)) &&
                          ::rename(next.c_str(), path_.c_str()) == 0;
  if (!is_written) {
    const std::string why = "it cannot be written: " + SystemMessage();
    if (descriptor >= 0) {
      ::unlink(next.c_str());
      ::close(descriptor);
    }
    return StateError(ErrorCode::kInternalServerError, path_, why);
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = descriptor;
  next_write_ = std::chrono::steady_clock::now() + kWrittenEvery;
  return {};
}

void CopyStateFile::Remove() {
  std::lock_guard lock(mutex_);
  ::unlink(path_.c_str());
}

}  // namespace hashrange
