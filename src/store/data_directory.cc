#include "store/data_directory.h"

#include <leveldb/db.h>
#include <leveldb/write_batch.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "platform/memory.h"
#include "store/files/file_names.h"
#include "store/files/format_file.h"
#include "store/files/level_db.h"
#include "store/files/ordered_files.h"
#include "store/files/store_keys.h"

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
  std::unique_ptr<DataDirectory> directory(
      new DataDirectory(WithoutEndSlash(std::move(path)), options));
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
  if (content == DirectoryContent::kNone) HR_RETURN_IF_ERROR(MakeDirectory(disk_, path_));
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
  HR_RETURN_IF_ERROR(ToStatus(disk_.SyncDirectory(path_), "cannot flush " + path_));
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

namespace {

constexpr std::size_t kCopyBatchBytes = 1 << 20;
constexpr std::size_t kCopyLogBytes = 32 << 20;

// Returns whether `path`, which need not exist, is the directory or below it.
bool IsInside(const std::string& path, const std::string& directory) {
  std::error_code none;
  const auto whole = [&none](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
  };
  const std::filesystem::path outer = whole(directory);
  const std::filesystem::path inner = whole(path);
  return !outer.empty() &&
         std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

class DirectoryCopy {
 public:
  DirectoryCopy(const DataDirectory::Use& from, Disk& disk, const std::string& to,
                std::uint64_t reserve_bytes)
      : from_(from), disk_(disk), to_(WithoutEndSlash(to)), reserve_bytes_(reserve_bytes) {}

  Status Run() {
    HR_RETURN_IF_ERROR(MakeTarget());
    const Status copied = CopyAll();
    if (!copied.ok()) RemoveCopy();
    return copied.ok() ? WriteFormatFile(disk_, to_, false) : Status(copied.error());
  }

 private:
  Status MakeTarget() {
    if (!from_.db()) return InternalError("The data directory cannot be read at present.");
    if (IsInside(to_, from_.directory())) {
      return ValidationError(to_ + " is in the data directory of this server, " +
                             from_.directory() + ": name a directory outside of it");
    }
    HR_RETURN_IF_ERROR(disk_.CheckIsPrivate(to_));
    const Result<DirectoryContent> content = InspectDirectory(disk_, to_);
    if (!content.ok()) return ValidationError(content.error().message);
    if (*content == DirectoryContent::kNone) return MakeDirectory(disk_, to_);
    if (*content != DirectoryContent::kEmpty) return ValidationError(to_ + " has files already");
    return {};
  }

  Status CopyAll() {
    OrderedFiles files(disk_, {});
    HR_ASSIGN(const std::unique_ptr<leveldb::DB> db, OpenLevelDb(files, to_, kCopyLogBytes));
    // An iterator shows the state as of the call that has made it.
    const std::unique_ptr<leveldb::Iterator> at(from_.db()->NewIterator(CheckedOnce()));
    leveldb::WriteBatch batch;
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      // The log position is about the logs of the directory that is copied.
      if (ToView(at->key()) == StoreKey::OfLogPosition().bytes()) continue;
      batch.Put(at->key(), at->value());
      if (batch.ApproximateSize() < kCopyBatchBytes) continue;
      HR_RETURN_IF_ERROR(Write(*db, &batch, false));
    }
    HR_RETURN_IF_ERROR(ToStatus(at->status(), "cannot read the data"));
    HR_RETURN_IF_ERROR(Write(*db, &batch, true));
    return ToStatus(files.FlushLogs(), "cannot write " + to_);
  }

  Status Write(leveldb::DB& db, leveldb::WriteBatch* batch, bool flushes) {
    if (from_.is_closing()) return InternalError("The data directory failed during the copy.");
    const std::optional<std::uint64_t> free = disk_.FreeBytes(to_);
    if (free && *free < reserve_bytes_) {
      return InternalError("the disk of " + to_ + " has too little room");
    }
    const leveldb::Status status = db.Write(Flushed(flushes), batch);
    batch->Clear();
    return ToStatus(status, "cannot write " + to_);
  }

  void RemoveCopy() {
    leveldb::Options options;
    options.env = &disk_;
    disk_.RemoveFile(PathIn(to_, kLogEndsFileName));
    leveldb::DestroyDB(to_, options);
  }

  const DataDirectory::Use& from_;
  Disk& disk_;
  const std::string to_;
  const std::uint64_t reserve_bytes_;
};

}  // namespace

Status CopyData(const DataDirectory::Use& from, Disk& disk, const std::string& to,
                std::uint64_t reserve_bytes) {
  return DirectoryCopy(from, disk, to, reserve_bytes).Run();
}

}  // namespace hashrange
