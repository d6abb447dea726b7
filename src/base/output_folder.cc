#include "base/output_folder.h"

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

constexpr int kMostLinks = 40;  // as the kernel follows
constexpr int kMostNames = 100;

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

bool IsOurs(const FileFacts& file) { return file.owner == EffectiveUser() || file.owner == 0; }

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

bool IsPrivateGroup(std::uint32_t group, std::uint32_t user) {
  const auto [name, password, number, members] = FindAccountLine("/etc/group", group);
  const std::string user_name = FindAccountLine("/etc/passwd", user)[0];
  if (!members.empty() && members != user_name) return false;
  return group == user || (!name.empty() && name == user_name);
}

bool OthersMayWrite(const FileFacts& folder) {
  if (folder.others_may_write) return true;
  return folder.group_may_write && !IsPrivateGroup(folder.group, folder.owner) &&
         !IsPrivateGroup(folder.group, EffectiveUser());
}

std::string FolderText(int folder) {
  return "the folder " + PathOfOpen(folder).value_or("that it is in");
}

std::string OthersMayWriteTo(int folder, const FileFacts& facts) {
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", facts.mode);
  return "other users may write to " + FolderText(folder) + ", whose mode is " + mode;
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
      Descriptor next = OpenPlaceIn(folder_.number(), name);
      if (!next.is_open() && errno == ENOENT) return {};
      const auto found = next.is_open() ? FactsOf(next.number()) : std::nullopt;
      if (!found) return CannotWrite(path_, errno);
      const bool may_stop = is_path_of_file && names_.size() == 1;
      if (found->kind == FileKind::kFolder) {
        folder_ = std::move(next);
        names_.pop_front();
      } else if (found->kind == FileKind::kLink) {
        if (IsOfProcesses(folder_.number())) {
          is_at_process_link_ = may_stop;
          if (may_stop) return {};
          folder_ = FollowPlaceIn(folder_.number(), name);
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
  void Begin(bool is_absolute) { folder_ = is_absolute ? OpenRootPlace() : OpenCurrentPlace(); }

  Status Follow(int link) {
    const auto folder = FactsOf(folder_.number());
    if (!folder) return CannotWrite(path_, errno);
    if (!IsOurs(*folder)) {
      return Refusal(path_, names_.front() + " is a link in " + FolderText(folder_.number()) +
                                ", which belongs to another user: such links are not followed");
    }
    if (OthersMayWrite(*folder)) {
      return Refusal(path_, names_.front() + " is a link, and " +
                                OthersMayWriteTo(folder_.number(), *folder) +
                                ": such links are not followed");
    }
    if (++links_ > kMostLinks) return CannotWrite(path_, ELOOP);
    const auto target = TargetOfLink(link);
    if (!target) return CannotWrite(path_, errno);
    const fs::path to(*target);
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
  Descriptor file = CreateFileIn(folder.descriptor(), name);
  if (file.is_open()) return file;
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

Result<OutputFolder> OutputFolder::CheckedFolder(fs::path path, Descriptor folder) {
  const auto facts = FactsOf(folder.number());
  if (!facts) return CannotWrite(path, errno);
  if (!IsOurs(*facts)) {
    return Refusal(path, FolderText(folder.number()) +
                             " belongs to another user: use a folder of your own, or run this "
                             "program as that user");
  }
  const bool is_shared = OthersMayWrite(*facts);
  if (is_shared && !facts->is_sticky) {
    return Refusal(path, OthersMayWriteTo(folder.number(), *facts) +
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
    RemoveFolderIn(made->in.number(), made->name);
  }
  made_.clear();
}

Error OutputFolder::ErrorAbout(const std::string& name, int error_number) const {
  return CannotWrite(path_ / name, error_number);
}

bool OutputFolder::Has(const std::string& name) const {
  return FactsIn(descriptor(), name).has_value();
}

Status OutputFolder::CheckOwner(const std::string& name) const {
  const auto found = is_shared_ ? FactsIn(descriptor(), name) : std::nullopt;
  if (!found || IsOurs(*found)) return {};
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
  Descriptor file = OpenFileIn(descriptor(), name);
  if (!file.is_open() && errno == ELOOP) return Refusal(path_ / name, "it is a link");
  if (!file.is_open() && errno == EISDIR) return Refusal(path_ / name, "it is a folder");
  const auto found = file.is_open() ? FactsOf(file.number()) : std::nullopt;
  if (!found) return CannotFind(path_ / name, errno);
  if (found->kind != FileKind::kFile) return Refusal(path_ / name, "it is no regular file");
  if (!IsOurs(*found)) return Refusal(path_ / name, "it belongs to another user");
  if (is_shared_ && found->names != 1) {
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
  Descriptor folder = OpenPlaceIn(descriptor(), name);
  const auto found = folder.is_open() ? FactsOf(folder.number()) : std::nullopt;
  if (!found) return CannotFind(path_ / name, errno);
  if (found->kind == FileKind::kLink) return Refusal(path_ / name, "it is a link");
  if (found->kind != FileKind::kFolder) return Refusal(path_ / name, "it is no folder");
  return CheckedFolder(path_ / name, std::move(folder));
}

Result<OutputFolder> OutputFolder::MakeFolder(const std::string& name) const {
  if (!MakeFolderIn(descriptor(), name) && errno != EEXIST) return ErrorAbout(name, errno);
  return OpenFolder(name);
}

Status OutputFolder::Rename(const std::string& from, const std::string& to) const {
  HR_RETURN_IF_ERROR(CheckOwner(to));
  if (RenameIn(descriptor(), from, to)) return {};
  return ErrorAbout(to, errno);
}

Status OutputFolder::RemoveFile(const std::string& name) const {
  HR_RETURN_IF_ERROR(CheckOwner(name));
  if (RemoveFileIn(descriptor(), name) || errno == ENOENT) return {};
  return ErrorAbout(name, errno);
}

bool OutputFolder::RemoveFolder(const std::string& name) const {
  return RemoveFolderIn(descriptor(), name);
}

Status OutputFolder::Flush() const {
  if (FlushFolder(descriptor())) return {};
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
  OutputFile output(path, std::nullopt);
  if (found.is_process_link) {
    output.file_ = OpenStream(path);
    if (!output.file_.is_open()) return CannotWrite(path, errno);
    return output;
  }
  HR_ASSIGN(OutputFolder folder, OutputFolder::CheckedFolder(path, std::move(found.folder)));
  folder.path_ = path.parent_path();
  const auto facts = FactsIn(folder.descriptor(), found.name);
  if (facts && facts->kind != FileKind::kFile) {
    // Only root makes devices.
    if (facts->kind == FileKind::kPipe && !IsOurs(*facts)) {
      return Refusal(path, "it is a pipe of another user");
    }
    output.file_ = OpenStreamIn(folder.descriptor(), found.name);
    if (!output.file_.is_open()) return CannotWrite(path, errno);
    return output;
  }
  if (folder.is_shared() && facts && !IsOurs(*facts)) {
    return Refusal(path, "it belongs to another user");
  }
  if (!MayMakeFilesIn(folder.descriptor())) return CannotWrite(path, errno);
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
  if (!FlushFile(file_.number())) return CannotBeWritten();
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
