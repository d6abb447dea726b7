#include "store/data_directory.h"

#include <leveldb/db.h>

#include <utility>

#include "base/log.h"
#include "platform/memory.h"
#include "store/files/file_names.h"
#include "store/files/format_file.h"
#include "store/files/level_db.h"
#include "store/files/ordered_files.h"

namespace hashrange {

DataDirectory::DataDirectory(std::string path, const Options& options)
    : path_(std::move(path)),
      options_(options),
      disk_(options.disk ? *options.disk : SystemDisk()) {}

DataDirectory::~DataDirectory() {
  FlushLogs();
  db_.reset();
  if (lock_) disk_.UnlockFile(lock_);
}

Result<std::unique_ptr<DataDirectory>> DataDirectory::Open(std::string path,
                                                           const Options& options) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::unique_ptr<DataDirectory> directory(new DataDirectory(std::move(path), options));
  HR_RETURN_IF_ERROR(directory->Prepare());
  HR_RETURN_IF_ERROR(directory->OpenStore(options.repairs ? CutMode::kRepair : CutMode::kStart));
  HR_RETURN_IF_ERROR(WriteFormatFile(directory->disk_, directory->path_, false));
  if (options.repairs) return directory;
  for (const CutFile& file : directory->cut_files_) {
    Log(LogLevel::kWarning, directory->path_ + ": " + CutFileText(file) + "; they are kept in " +
                                PathIn(directory->path_, file.kept_as));
  }
  return directory;
}

Status DataDirectory::Prepare() {
  HR_RETURN_IF_ERROR(disk_.CheckIsPrivate(path_));
  // A directory that is not ours is not even locked.
  HR_ASSIGN(DirectoryContent content, InspectDirectory(disk_, path_));
  if (!options_.creates && content != DirectoryContent::kData) {
    return ValidationError(
        path_ + (content == DirectoryContent::kNone ? " does not exist" : " has no data"));
  }
  if (content == DirectoryContent::kNone) {
    leveldb::Status status = disk_.CreateDir(path_);
    if (status.ok()) status = disk_.SyncDirectory(DirectoryOf(path_));
    if (!status.ok()) return ValidationError("cannot create " + path_ + ": " + status.ToString());
  }
  HR_RETURN_IF_ERROR(Lock());
  // Another server may have begun to use it meanwhile.
  HR_ASSIGN(content, InspectDirectory(disk_, path_));
  is_new_ = content != DirectoryContent::kData;
  return content == DirectoryContent::kEmpty ? WriteFormatFile(disk_, path_, true) : Status();
}

Status DataDirectory::Lock() {
  const leveldb::Status status = disk_.LockFile(PathIn(path_, kLockFileName), &lock_);
  if (status.ok()) return {};
  const std::string text = status.ToString();
  const bool is_held = text.find("already held") != std::string::npos ||
                       text.find("temporarily unavailable") != std::string::npos;
  return ValidationError(is_held ? path_ + " is used by another server"
                                 : "cannot lock " + path_ + ": " + text);
}

Status DataDirectory::OpenStore(CutMode mode) {
  // What is seen of the directory must be what is on the disk, before LevelDB builds on it: it
  // gives new files the names of files that it does not find.
  const leveldb::Status status = disk_.SyncDirectory(path_);
  if (!status.ok()) return StoreError("cannot flush " + path_ + ": " + status.ToString());
  HR_ASSIGN(CutResult cut, CutDamagedEnds(disk_, path_, mode));
  cut_files_ = std::move(cut.files);
  auto files = std::make_unique<OrderedFiles>(
      disk_, OrderedFiles::Options{options_.flushes_logs, std::move(cut.ends)});
  // LevelDB starts its thread at the first work for the thread, and ends the process if that fails.
  // An exception on the thread would end the process, too, so the thread waits for memory instead.
  disk_.Schedule([](void*) { WaitForMemoryOnThisThread(); }, nullptr);
  HR_ASSIGN(std::unique_ptr<leveldb::DB> db, OpenLevelDb(*files, path_, options_.log_bytes));
  const std::lock_guard lock(mutex_);
  files_ = std::move(files);
  db_ = std::move(db);
  return {};
}

Status DataDirectory::Reopen() {
  {
    std::unique_lock lock(mutex_);
    is_closing_ = true;
    unused_.wait(lock, [this] { return uses_ == 0; });
    is_closing_ = false;
    db_.reset();
    files_.reset();
  }
  return OpenStore(CutMode::kReopen);
}

std::optional<LogPosition> DataDirectory::last_flush() const {
  return files_ ? files_->last_flush() : std::nullopt;
}

void DataDirectory::FlushLogs() {
  if (!db_ || has_flushed_logs_) return;
  has_flushed_logs_ = files_->FlushLogs().ok();
}

void DataDirectory::RecordFlushed() {
  if (files_ && options_.flushes_logs) (void)files_->RecordEnds();
}

std::optional<std::uint64_t> DataDirectory::FreeBytes() const { return disk_.FreeBytes(path_); }

DataDirectory::Use::Use(DataDirectory& directory) : directory_(directory) {
  const std::lock_guard lock(directory.mutex_);
  ++directory.uses_;
  db_ = directory.db_.get();
}

DataDirectory::Use::~Use() {
  {
    const std::lock_guard lock(directory_.mutex_);
    --directory_.uses_;
  }
  directory_.unused_.notify_all();
}

}  // namespace hashrange
