#include "store/files/disk.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/output_folder.h"
#include "platform/files.h"
#include "store/files/file_names.h"

namespace hashrange {
namespace {

leveldb::Status SystemError(const std::string& path) {
  const int number = errno;
  return number == ENOENT ? leveldb::Status::NotFound(path, std::strerror(number))
                          : leveldb::Status::IOError(path, std::strerror(number));
}

leveldb::Status StatusOf(const Status& made) {
  return made.ok() ? leveldb::Status::OK() : leveldb::Status::IOError(made.error().message);
}

// Makes a file in the place of one that has the name.
Status MakeFile(const std::string& path) {
  HR_ASSIGN(const OutputFolder folder, OutputFolder::OpenOf(path));
  const auto made = folder.Replace(std::string(NameInPath(path)));
  return made.ok() ? Status() : Status(made.error());
}

// Makes a file, unless there is one of the server's user or of root.
Status MakeFileOnce(const std::string& path) {
  HR_ASSIGN(const OutputFolder folder, OutputFolder::OpenOf(path));
  const std::string name(NameInPath(path));
  auto file = folder.OpenFile(name);
  if (!file.ok() && file.error().code == ErrorCode::kResourceNotFoundException) {
    file = folder.Create(name);
  }
  return file.ok() ? Status() : Status(file.error());
}

class SystemDiskImpl : public Disk {
 public:
  SystemDiskImpl() : Disk(leveldb::Env::Default()) {}

  Status CheckIsPrivate(const std::string& directory) override {
    auto folder = OutputFolder::Open(directory);
    if (!folder.ok() && folder.error().code == ErrorCode::kResourceNotFoundException) {
      folder = OutputFolder::OpenOf(directory);
      const bool is_missing =
          !folder.ok() && folder.error().code == ErrorCode::kResourceNotFoundException;
      return folder.ok() || is_missing ? Status() : Status(folder.error());
    }
    if (!folder.ok()) return folder.error();
    if (!folder->is_shared()) return {};
    return ValidationError(directory + ": other users may write to it: use a directory of its own");
  }

  // LevelDB opens the files that are made here. Nobody else can exchange them meanwhile.
  leveldb::Status NewWritableFile(const std::string& path, leveldb::WritableFile** file) override {
    *file = nullptr;
    const leveldb::Status made = StatusOf(MakeFile(path));
    return made.ok() ? target()->NewWritableFile(path, file) : made;
  }
  leveldb::Status NewAppendableFile(const std::string& path,
                                    leveldb::WritableFile** file) override {
    *file = nullptr;
    const leveldb::Status made = StatusOf(MakeFileOnce(path));
    return made.ok() ? target()->NewAppendableFile(path, file) : made;
  }
  leveldb::Status LockFile(const std::string& path, leveldb::FileLock** lock) override {
    *lock = nullptr;
    const leveldb::Status made = StatusOf(MakeFileOnce(path));
    return made.ok() ? target()->LockFile(path, lock) : made;
  }
  leveldb::Status CreateDir(const std::string& directory) override {
    const auto parent = OutputFolder::OpenOf(directory);
    if (!parent.ok()) return StatusOf(parent.error());
    const auto made = parent.value().MakeFolder(std::string(NameInPath(directory)));
    return made.ok() ? leveldb::Status::OK() : StatusOf(made.error());
  }

  leveldb::Status SyncDirectory(const std::string& directory) override {
    const Descriptor open = OpenForReading(directory, PipeWaits::kNo);
    if (!open.is_open() || !FlushFile(open.number())) return SystemError(directory);
    return leveldb::Status::OK();
  }

  leveldb::Status TruncateFile(const std::string& file, std::uint64_t size_bytes) override {
    const Descriptor open = OpenForWriting(file);
    if (!open.is_open() || !CutOpenFile(open.number(), static_cast<std::int64_t>(size_bytes))) {
      return SystemError(file);
    }
    return leveldb::Status::OK();
  }

  leveldb::Status SyncFile(const std::string& file) override { return SyncDirectory(file); }

  bool IsLocked(const std::string& file) override {
    const Descriptor open = OpenForReading(file, PipeWaits::kNo);
    return open.is_open() && IsLockedByOther(open.number());
  }

  std::optional<std::uint64_t> FreeBytes(const std::string& directory) override {
    return hashrange::FreeBytes(directory);
  }
};

}  // namespace

Disk& SystemDisk() {
  // Never destroyed: LevelDB's background thread may outlive everything else.
  static SystemDiskImpl& disk = *new SystemDiskImpl();
  return disk;
}

Status ToStatus(const leveldb::Status& done, const std::string& failed) {
  return done.ok() ? Status() : InternalError(failed + ": " + done.ToString());
}

Status ToStatus(const leveldb::Status& done) {
  return done.ok() ? Status() : InternalError(done.ToString());
}

Status MakeDirectory(Disk& disk, const std::string& directory) {
  leveldb::Status status = disk.CreateDir(directory);
  if (status.ok()) status = disk.SyncDirectory(DirectoryOf(directory));
  if (status.ok()) return {};
  return ValidationError("cannot create " + directory + ": " + status.ToString());
}

leveldb::Status ReplaceFile(Disk& disk, const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp";
  leveldb::WritableFile* opened = nullptr;
  leveldb::Status status = disk.NewWritableFile(temporary, &opened);
  const std::unique_ptr<leveldb::WritableFile> file(opened);
  if (status.ok()) status = file->Append({content.data(), content.size()});
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  if (status.ok()) status = disk.RenameFile(temporary, path);
  if (status.ok()) status = disk.SyncDirectory(DirectoryOf(path));
  return status;
}

}  // namespace hashrange
