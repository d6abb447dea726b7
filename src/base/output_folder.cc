#include "base/output_folder.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/random.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFileMode = 0600;
constexpr mode_t kFolderMode = 0700;
constexpr int kMostLinks = 40;  // as the kernel follows
constexpr int kMostNames = 100;
constexpr int kPlace = O_PATH | O_CLOEXEC | O_NOFOLLOW;

Error CannotWrite(const fs::path& path, int error_number) {
  return ValidationError(
      path.string() + ": it cannot be written: " + std::generic_category().message(error_number));
}

// Returns the error of a look-up, which may be that there is nothing.
Error CannotFind(const fs::path& path, int error_number) {
  Error error = CannotWrite(path, error_number);
  if (error_number == ENOENT) error.code = ErrorCode::kResourceNotFoundException;
  return error;
}

Error Refusal(const fs::path& path, const std::string& why) {
  return ValidationError(path.string() + ": " + why);
}

// Returns the path that the kernel has for an open folder.
std::string PathOfOpen(int folder) {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(folder), error);
  return error ? "that it is in" : path.string();
}

bool IsOurs(uid_t owner) { return owner == ::geteuid() || owner == 0; }

// Returns the line of a file such as /etc/group whose third field is the number, as its four first
// fields; empty when there is none.
std::array<std::string, 4> FindAccountLine(const char* file, unsigned number) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::array<std::string, 4> fields;
    std::istringstream text(line);
    for (std::string& field : fields) std::getline(text, field, ':');
    if (fields[2] == std::to_string(number)) return fields;
  }
  return {};
}

bool IsPrivateGroup(gid_t group, uid_t user) {
  const auto [name, password, number, members] = FindAccountLine("/etc/group", group);
  const std::string user_name = FindAccountLine("/etc/passwd", user)[0];
  if (!members.empty() && members != user_name) return false;
  return group == user || (!name.empty() && name == user_name);
}

bool OthersMayWrite(const struct stat& folder) {
  if ((folder.st_mode & S_IWOTH) != 0) return true;
  return (folder.st_mode & S_IWGRP) != 0 && !IsPrivateGroup(folder.st_gid, folder.st_uid) &&
         !IsPrivateGroup(folder.st_gid, ::geteuid());
}

std::string OthersMayWriteTo(int folder, mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return "other users may write to the folder " + PathOfOpen(folder) + ", whose mode is " + text;
}

// Returns whether the names in an open folder are those of the system's own file system of
// processes, whose links are what the process has opened.
bool IsOfProcesses(int folder) {
  struct statfs system {};
  return ::fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

std::deque<std::string> NamesOf(const fs::path& path) {
  std::deque<std::string> names;
  std::istringstream text(path.string());
  for (std::string name; std::getline(text, name, '/');) {
    if (!name.empty() && name != ".") names.push_back(std::move(name));
  }
  return names;
}

fs::path WithoutSlash(const fs::path& path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

// Follows a path from folder to folder, each opened in the one before.
class PathWalk {
 public:
  // The messages name `path`.
  PathWalk(const fs::path& path, const fs::path& walked) : path_(path), names_(NamesOf(walked)) {
    Begin(walked.is_absolute());
  }
  explicit PathWalk(const fs::path& path) : PathWalk(path, path) {}

  // Stops at a name that does not exist; for the path of a file, also at the last name when it is
  // no folder.
  Status Run(bool is_path_of_file) {
    while (!names_.empty()) {
      if (!folder_.is_open()) return CannotWrite(path_, errno);
      const std::string& name = names_.front();
      Descriptor next(::openat(folder_.number(), name.c_str(), kPlace));
      if (!next.is_open() && errno == ENOENT) return {};
      struct stat found {};
      if (!next.is_open() || ::fstat(next.number(), &found) != 0) return CannotWrite(path_, errno);
      const bool may_stop = is_path_of_file && names_.size() == 1;
      if (S_ISDIR(found.st_mode)) {
        folder_ = std::move(next);
        names_.pop_front();
      } else if (S_ISLNK(found.st_mode)) {
        if (IsOfProcesses(folder_.number())) {
          is_at_process_link_ = may_stop;
          if (may_stop) return {};
          folder_ = Descriptor(
              ::openat(folder_.number(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
          names_.pop_front();
        } else {
          HR_RETURN_IF_ERROR(Follow(next.number()));
        }
      } else {
        return may_stop ? Status() : CannotWrite(path_, ENOTDIR);
      }
    }
    return folder_.is_open() ? Status() : CannotWrite(path_, errno);
  }

  // What is left, in the folder at which the walk has stopped.
  std::deque<std::string>& names() { return names_; }
  Descriptor& folder() { return folder_; }
  bool is_at_process_link() const { return is_at_process_link_; }

 private:
  void Begin(bool is_absolute) {
    folder_ = Descriptor(::open(is_absolute ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }

  Status Follow(int link) {
    struct stat folder {};
    if (::fstat(folder_.number(), &folder) != 0) return CannotWrite(path_, errno);
    if (!IsOurs(folder.st_uid)) {
      return Refusal(path_, names_.front() + " is a link in the folder " +
                                PathOfOpen(folder_.number()) +
                                ", which belongs to another user: such links are not followed");
    }
    if (OthersMayWrite(folder)) {
      return Refusal(path_, names_.front() + " is a link, and " +
                                OthersMayWriteTo(folder_.number(), folder.st_mode) +
                                ": such links are not followed");
    }
    char target[4096];
    const ssize_t size = ::readlinkat(link, "", target, sizeof target);
    if (++links_ > kMostLinks || size == sizeof target) return CannotWrite(path_, ELOOP);
    if (size < 0) return CannotWrite(path_, errno);
    const fs::path to(std::string(target, static_cast<std::size_t>(size)));
    names_.pop_front();
    std::deque<std::string> names = NamesOf(to);
    names_.insert(names_.begin(), names.begin(), names.end());
    if (to.is_absolute()) Begin(true);
    return {};
  }

  const fs::path& path_;
  std::deque<std::string> names_;
  Descriptor folder_;
  int links_ = 0;
  bool is_at_process_link_ = false;
};

Result<Descriptor> NewFile(const OutputFolder& folder, const std::string& name) {
  Descriptor file(::openat(folder.descriptor(), name.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode));
  // The umask may have taken rights from the mode.
  if (file.is_open() && ::fchmod(file.number(), kFileMode) == 0) return file;
  Error error = CannotWrite(folder.path() / name, errno);
  if (errno == EEXIST) error.code = ErrorCode::kResourceInUseException;
  return error;
}

// Makes a file that nobody else uses.
Result<Descriptor> NewTemporaryFile(const OutputFolder& folder, std::string* name) {
  for (int tries = 0;; ++tries) {
    char text[40];
    std::snprintf(text, sizeof text, ".hashrange-%016llx.tmp",
                  static_cast<unsigned long long>(Random::ThisThread().Next()));
    *name = text;
    auto file = NewFile(folder, *name);
    const bool exists = !file.ok() && file.error().code == ErrorCode::kResourceInUseException;
    if (!exists || tries == kMostNames) return file;
  }
}

}  // namespace

Descriptor::~Descriptor() {
  const int reason = errno;
  if (number_ >= 0) ::close(number_);
  errno = reason;
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

Result<OutputFolder> OutputFolder::CheckedFolder(fs::path path, Descriptor folder) {
  struct stat facts {};
  if (::fstat(folder.number(), &facts) != 0) return CannotWrite(path, errno);
  if (!IsOurs(facts.st_uid)) {
    return Refusal(path,
                   "the folder " + PathOfOpen(folder.number()) +
                       " belongs to another user: use a folder of your own, or run this program "
                       "as that user");
  }
  const bool is_shared = OthersMayWrite(facts);
  if (is_shared && (facts.st_mode & S_ISVTX) == 0) {
    return Refusal(path, OthersMayWriteTo(folder.number(), facts.st_mode) +
                             ": use another folder, or take this right from them with chmod go-w");
  }
  OutputFolder checked(std::move(path), std::move(folder));
  checked.is_shared_ = is_shared;
  return checked;
}

Result<OutputFolder> OutputFolder::Open(const fs::path& path) {
  PathWalk walk(path);
  HR_RETURN_IF_ERROR(walk.Run(false));
  if (!walk.names().empty()) return CannotFind(path, ENOENT);
  return CheckedFolder(path, std::move(walk.folder()));
}

Result<OutputFolder> OutputFolder::OpenOf(const fs::path& file) {
  const fs::path parent = file.parent_path();
  PathWalk walk(file, parent);
  HR_RETURN_IF_ERROR(walk.Run(false));
  if (!walk.names().empty()) return CannotFind(file, ENOENT);
  HR_ASSIGN(OutputFolder folder, CheckedFolder(file, std::move(walk.folder())));
  folder.path_ = parent;
  return folder;
}

Result<OutputFolder> OutputFolder::Make(const fs::path& path, const Allows& allows) {
  PathWalk walk(path);
  HR_RETURN_IF_ERROR(walk.Run(false));
  std::vector<MadeFolder> made;
  HR_ASSIGN(OutputFolder folder, CheckedFolder(WithoutSlash(path), std::move(walk.folder())));
  if (allows && !allows(folder.descriptor())) return CannotWrite(path, EACCES);
  // The messages name the folder that cannot be made.
  for (std::size_t left = walk.names().size(); left > 0; --left) {
    folder.path_ = folder.path_.parent_path();
  }
  for (const std::string& name : walk.names()) {
    auto next = folder.MakeFolder(name);
    if (!next.ok()) {
      folder.made_ = std::move(made);
      folder.Unmake();
      return std::move(next).error();
    }
    made.push_back({std::move(folder.folder_), name});
    folder = std::move(*next);
  }
  folder.path_ = path;
  folder.made_ = std::move(made);
  return folder;
}

void OutputFolder::Unmake() {
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) {
    ::unlinkat(made->in.number(), made->name.c_str(), AT_REMOVEDIR);
  }
  made_.clear();
}

Error OutputFolder::ErrorAbout(const std::string& name, int error_number) const {
  return CannotWrite(path_ / name, error_number);
}

bool OutputFolder::Has(const std::string& name) const {
  struct stat found {};
  return ::fstatat(descriptor(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
}

Status OutputFolder::CheckOwner(const std::string& name) const {
  struct stat found {};
  if (!is_shared_ || ::fstatat(descriptor(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0 ||
      IsOurs(found.st_uid)) {
    return {};
  }
  return Refusal(path_ / name, "it belongs to another user");
}

Result<Descriptor> OutputFolder::Create(const std::string& name) const {
  return NewFile(*this, name);
}

Result<Descriptor> OutputFolder::Replace(const std::string& name) const {
  HR_RETURN_IF_ERROR(RemoveFile(name));
  return Create(name);
}

Result<Descriptor> OutputFolder::OpenFile(const std::string& name) const {
  // Without O_NONBLOCK, opening a pipe would wait.
  Descriptor file(::openat(descriptor(), name.c_str(),
                           O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.is_open() && errno == ELOOP) return Refusal(path_ / name, "it is a link");
  if (!file.is_open() && errno == EISDIR) return Refusal(path_ / name, "it is a folder");
  struct stat found {};
  if (!file.is_open() || ::fstat(file.number(), &found) != 0) {
    return CannotFind(path_ / name, errno);
  }
  if (!S_ISREG(found.st_mode)) return Refusal(path_ / name, "it is no regular file");
  if (!IsOurs(found.st_uid)) return Refusal(path_ / name, "it belongs to another user");
  if (is_shared_ && found.st_nlink != 1) {
    return Refusal(path_ / name, "the file has another name as well");
  }
  return file;
}

Status OutputFolder::WriteFile(const std::string& name, std::string_view text) const {
  const std::string next = name + ".new";
  HR_ASSIGN(const Descriptor file, Replace(next));
  Status written =
      WriteAll(file.number(), text) ? Rename(next, name) : Status(ErrorAbout(name, errno));
  if (!written.ok()) (void)RemoveFile(next);
  return written;
}

Result<OutputFolder> OutputFolder::OpenFolder(const std::string& name) const {
  Descriptor folder(::openat(descriptor(), name.c_str(), kPlace));
  struct stat found {};
  if (!folder.is_open() || ::fstat(folder.number(), &found) != 0) {
    return CannotFind(path_ / name, errno);
  }
  if (S_ISLNK(found.st_mode)) return Refusal(path_ / name, "it is a link");
  if (!S_ISDIR(found.st_mode)) return Refusal(path_ / name, "it is no folder");
  return CheckedFolder(path_ / name, std::move(folder));
}

Result<OutputFolder> OutputFolder::MakeFolder(const std::string& name) const {
  if (::mkdirat(descriptor(), name.c_str(), kFolderMode) == 0) {
    // The umask may have taken rights from the mode. Nobody else can exchange the folder.
    if (::fchmodat(descriptor(), name.c_str(), kFolderMode, 0) != 0) return ErrorAbout(name, errno);
  } else if (errno != EEXIST) {
    return ErrorAbout(name, errno);
  }
  return OpenFolder(name);
}

Status OutputFolder::Rename(const std::string& from, const std::string& to) const {
  HR_RETURN_IF_ERROR(CheckOwner(to));
  if (::renameat(descriptor(), from.c_str(), descriptor(), to.c_str()) == 0) return {};
  return ErrorAbout(to, errno);
}

Status OutputFolder::RemoveFile(const std::string& name) const {
  HR_RETURN_IF_ERROR(CheckOwner(name));
  if (::unlinkat(descriptor(), name.c_str(), 0) == 0 || errno == ENOENT) return {};
  return ErrorAbout(name, errno);
}

bool OutputFolder::RemoveFolder(const std::string& name) const {
  return ::unlinkat(descriptor(), name.c_str(), AT_REMOVEDIR) == 0;
}

Status OutputFolder::Flush() const {
  const Descriptor opened(::openat(descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems have no flush of a folder.
  if (opened.is_open() && (::fsync(opened.number()) == 0 || errno == EINVAL)) return {};
  return CannotWrite(path_, errno);
}

namespace {

// A file that a user has named.
struct NamedOutput {
  Descriptor folder;
  std::string name;
  bool is_process_link;  // what the process has opened itself, as /dev/stdout
};

Result<NamedOutput> FindOutput(const fs::path& path) {
  if (!path.has_filename()) return CannotWrite(path, EISDIR);
  PathWalk walk(path);
  HR_RETURN_IF_ERROR(walk.Run(true));
  if (walk.names().empty()) return CannotWrite(path, EISDIR);
  if (walk.names().size() > 1) return CannotWrite(path, ENOENT);
  return NamedOutput{std::move(walk.folder()), walk.names().front(), walk.is_at_process_link()};
}

}  // namespace

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      folder_(std::move(other.folder_)),
      name_(std::move(other.name_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)) {}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) (void)folder_->RemoveFile(temporary_);
}

Result<OutputFile> OutputFile::Open(const fs::path& path) {
  HR_ASSIGN(NamedOutput found, FindOutput(path));
  constexpr int kStream = O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC;
  OutputFile output(path, std::nullopt);
  if (found.is_process_link) {
    output.file_ = Descriptor(::open(path.c_str(), kStream));
    if (!output.file_.is_open()) return CannotWrite(path, errno);
    return output;
  }
  HR_ASSIGN(OutputFolder folder, OutputFolder::CheckedFolder(path, std::move(found.folder)));
  folder.path_ = path.parent_path();
  struct stat facts {};
  const bool exists =
      ::fstatat(folder.descriptor(), found.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && !S_ISREG(facts.st_mode)) {
    // Only root makes devices.
    if (S_ISFIFO(facts.st_mode) && !IsOurs(facts.st_uid)) {
      return Refusal(path, "it is a pipe of another user");
    }
    output.file_ =
        Descriptor(::openat(folder.descriptor(), found.name.c_str(), kStream | O_NOFOLLOW));
    if (!output.file_.is_open()) return CannotWrite(path, errno);
    return output;
  }
  if (folder.is_shared() && exists && !IsOurs(facts.st_uid)) {
    return Refusal(path, "it belongs to another user");
  }
  if (::faccessat(folder.descriptor(), ".", W_OK | X_OK, AT_EACCESS) != 0) {
    return CannotWrite(path, errno);
  }
  output.folder_ = std::move(folder);
  output.name_ = std::move(found.name);
  return output;
}

Result<OutputFile> OutputFile::Make(const fs::path& path) {
  if (!path.has_filename()) return CannotWrite(path, EISDIR);
  auto folder = OutputFolder::OpenOf(path);
  if (!folder.ok()) return ValidationError(std::move(folder).error().message);
  auto file = folder->Create(path.filename());
  if (!file.ok()) return ValidationError(std::move(file).error().message);
  OutputFile output(path, std::move(*folder));
  output.name_ = output.temporary_ = path.filename();
  output.file_ = std::move(*file);
  return output;
}

Status OutputFile::CannotBeWritten() const {
  Error error = CannotWrite(path_, errno);
  error.code = ErrorCode::kInternalServerError;
  return error;
}

Status OutputFile::Write(std::string_view text) {
  if (folder_ && temporary_.empty()) {
    auto file = NewTemporaryFile(*folder_, &temporary_);
    if (!file.ok()) {
      temporary_.clear();
      return CannotBeWritten();
    }
    file_ = std::move(*file);
  }
  return WriteAll(file_.number(), text) ? Status() : CannotBeWritten();
}

Status OutputFile::Finish() {
  HR_RETURN_IF_ERROR(Write({}));  // a new file is there, even if nothing was written
  if (!folder_) return {};
  if (::fsync(file_.number()) != 0) return CannotBeWritten();
  Status named = temporary_ == name_ ? Status() : folder_->Rename(temporary_, name_);
  if (named.ok()) {
    temporary_.clear();
    named = folder_->Flush();
  }
  if (!named.ok()) named.error().code = ErrorCode::kInternalServerError;
  return named;
}

Status OutputFile::WriteWhole(std::string_view text) {
  HR_RETURN_IF_ERROR(Write(text));
  return Finish();
}

}  // namespace hashrange
