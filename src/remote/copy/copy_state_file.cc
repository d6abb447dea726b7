#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "remote/copy/copy_state.h"

namespace hashrange {
namespace {

constexpr std::chrono::milliseconds kWrittenEvery{200};
constexpr std::size_t kMaxStateBytes = 256 << 20;

Error StateError(ErrorCode code, const std::filesystem::path& path, const std::string& why) {
  return {code, path.string() + ": " + why, nullptr};
}

std::string SystemMessage() { return std::generic_category().message(errno); }

// Returns whether the descriptor is of the file that has the name now.
bool IsFileIn(const OutputFolder& folder, const std::string& name, const Descriptor& file) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.number(), &opened) == 0 &&
         ::fstatat(folder.descriptor(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

Result<std::unique_ptr<CopyStateFile>> CopyStateFile::Begin(const std::filesystem::path& path,
                                                            CopyState state) {
  std::unique_ptr<CopyStateFile> file(new CopyStateFile(path, std::move(state)));
  HR_ASSIGN(file->folder_, OutputFolder::OpenOf(path));
  // Only one process can create the file: who has it, locked, may replace it.
  auto made = file->folder_->Create(file->name());
  if (!made.ok()) {
    if (made.error().code != ErrorCode::kResourceInUseException) return std::move(made).error();
    return StateError(ErrorCode::kValidationException, path, "there is such a file already");
  }
  file->file_ = std::move(*made);
  if (::flock(file->file_.number(), LOCK_EX | LOCK_NB) != 0) {
    return StateError(ErrorCode::kValidationException, path, "another copy is using it");
  }
  const Status written = file->Write();
  if (written.ok()) return file;
  file->Remove();
  return written.error();
}

Result<std::unique_ptr<CopyStateFile>> CopyStateFile::Continue(const std::filesystem::path& path) {
  std::unique_ptr<CopyStateFile> file(new CopyStateFile(path, {}));
  HR_ASSIGN(file->folder_, OutputFolder::OpenOf(path));
  HR_ASSIGN(file->file_, file->folder_->OpenFile(file->name()));
  if (::flock(file->file_.number(), LOCK_EX | LOCK_NB) != 0 ||
      !IsFileIn(*file->folder_, file->name(), file->file_)) {
    return StateError(ErrorCode::kValidationException, path, "another copy is using it");
  }
  auto text = ReadWholeFile(path, kMaxStateBytes);
  if (!text.ok()) return std::move(text).error();
  auto state = ParseCopyState(*text);
  if (!state.ok()) return WithFileName(path.string(), std::move(state).error());
  file->state_ = std::move(*state);
  return file;
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
  const std::string next = name() + ".new";
  auto made = folder_->Replace(next);
  Status written = made.ok() ? Status() : Status(made.error());
  if (made.ok() && (::flock(made->number(), LOCK_EX | LOCK_NB) != 0 ||
                    !WriteAll(made->number(), CopyStateText(state_)))) {
    written = StateError(ErrorCode::kInternalServerError, path_,
                         "it cannot be written: " + SystemMessage());
  }
  if (written.ok()) written = folder_->Rename(next, name());
  if (!written.ok()) {
    if (made.ok()) (void)folder_->RemoveFile(next);
    return Error{ErrorCode::kInternalServerError, written.error().message, nullptr};
  }
  file_ = std::move(*made);
  next_write_ = std::chrono::steady_clock::now() + kWrittenEvery;
  return {};
}

void CopyStateFile::Remove() {
  std::lock_guard lock(mutex_);
  (void)folder_->RemoveFile(name());
}

}  // namespace hashrange
