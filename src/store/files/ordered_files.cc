#include "store/files/ordered_files.h"

#include <memory>
#include <optional>

#include "store/files/file_names.h"

namespace hashrange {

// A log, a manifest or a table that LevelDB writes.
class OrderedFiles::OrderedFile : public leveldb::WritableFile {
 public:
  OrderedFile(OrderedFiles& files, leveldb::WritableFile* file, const std::string& path,
              const StoreFileName& name)
      : files_(files), file_(file), directory_(DirectoryOf(path)), name_(name) {}
  ~OrderedFile() override {
    const std::lock_guard lock(files_.mutex_);
    if (files_.open_log_ == this) files_.open_log_ = nullptr;
    if (Log* const log = FindLog()) log->written = size_;
  }

  leveldb::Status Append(const leveldb::Slice& data) override {
    if (!status_.ok()) return status_;
    size_ += data.size();
    return Keep(file_->Append(data));
  }
  leveldb::Status Flush() override { return status_.ok() ? Keep(file_->Flush()) : status_; }
  leveldb::Status Sync() override {
    if (!status_.ok() || !Keep(file_->Sync()).ok()) return status_;
    if (name_.kind == StoreFileKind::kTable) return Keep(files_.disk_.SyncDirectory(directory_));
    if (name_.kind == StoreFileKind::kLog) NoteFlush();
    return status_;
  }
  leveldb::Status Close() override {
    const leveldb::Status closed = file_->Close();
    return status_.ok() ? Keep(closed) : status_;
  }

 private:
  // Returns null if it is not a log, or one that was removed. Called with `files_.mutex_` held.
  Log* FindLog() {
    if (name_.kind != StoreFileKind::kLog) return nullptr;
    const auto found = files_.logs_.find(name_.number);
    return found == files_.logs_.end() ? nullptr : &found->second;
  }
  void NoteFlush() {
    const std::lock_guard lock(files_.mutex_);
    Log* const log = FindLog();
    if (log) log->written = size_;
    // Otherwise the log's name may not be on the disk.
    if (!log || !files_.flushes_logs_) return;
    log->flushed = size_;
    files_.last_flush_ = {name_.number, size_};
  }
  const leveldb::Status& Keep(const leveldb::Status& status) { return status_ = status; }

  OrderedFiles& files_;
  const std::unique_ptr<leveldb::WritableFile> file_;
  const std::string directory_;
  const StoreFileName name_;
  std::uint64_t size_ = 0;
  leveldb::Status status_;  // the first error
};

leveldb::Status OrderedFiles::NewWritableFile(const std::string& path,
                                              leveldb::WritableFile** file) {
  *file = nullptr;
  const std::optional<StoreFileName> name = ParseStoreFileName(path);
  if (!name || name->kind == StoreFileKind::kTemporary) {
    return target()->NewWritableFile(path, file);
  }
  const bool is_log = name->kind == StoreFileKind::kLog;
  const bool is_flushed_log = is_log && flushes_logs_;
  leveldb::Status status = is_flushed_log ? FlushOpenLog() : leveldb::Status::OK();
  if (!status.ok()) return status;
  leveldb::WritableFile* opened = nullptr;
  status = target()->NewWritableFile(path, &opened);
  if (!status.ok()) return status;
  auto ordered = std::make_unique<OrderedFile>(*this, opened, path, *name);
  if (is_flushed_log) status = disk_.SyncDirectory(DirectoryOf(path));
  if (!status.ok()) return status;
  if (is_log) {
    const std::lock_guard lock(mutex_);
    directory_ = DirectoryOf(path);
    logs_[name->number] = {};
  }
  // The name is on the disk before it is recorded that there is such a log.
  if (is_flushed_log) status = RecordEnds();
  if (!status.ok()) return status;
  if (is_log) {
    const std::lock_guard lock(mutex_);
    open_log_ = ordered.get();
  }
  *file = ordered.release();
  return status;
}

leveldb::Status OrderedFiles::FlushOpenLog() {
  OrderedFile* open_log = nullptr;
  {
    const std::lock_guard lock(mutex_);
    open_log = open_log_;
  }
  // Only the thread that makes the new log uses or deletes the old one.
  return open_log ? open_log->Sync() : leveldb::Status::OK();
}

bool OrderedFiles::HasLog(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  return logs_.contains(number);
}

std::optional<LogPosition> OrderedFiles::last_flush() {
  const std::lock_guard lock(mutex_);
  return last_flush_;
}

leveldb::Status OrderedFiles::RecordEnds() {
  LogEnds ends;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, log] : logs_) ends[number] = log.flushed;
  }
  return WriteLogEnds(disk_, directory_, ends);
}

leveldb::Status OrderedFiles::FlushLogs() {
  leveldb::Status status = FlushOpenLog();
  std::map<std::uint64_t, Log> logs;
  {
    const std::lock_guard lock(mutex_);
    logs = logs_;
  }
  for (const auto& [number, log] : logs) {
    if (!status.ok()) return status;
    if (log.flushed == log.written) continue;
    status = disk_.SyncFile(PathIn(directory_, LogFileName(number)));
    // LevelDB's thread removes a log when a table has what is in it.
    if (status.IsNotFound() && !HasLog(number)) status = leveldb::Status::OK();
  }
  if (status.ok() && !flushes_logs_) status = disk_.SyncDirectory(directory_);
  if (!status.ok()) return status;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [number, log] : logs_) log.flushed = log.written;
  }
  return RecordEnds();
}

leveldb::Status OrderedFiles::RenameFile(const std::string& from, const std::string& to) {
  if (NameInPath(to) != kCurrentFileName) return target()->RenameFile(from, to);
  leveldb::Status status = target()->RenameFile(from, to);
  if (status.ok()) status = disk_.SyncDirectory(DirectoryOf(to));
  const std::optional<StoreFileName> name = ParseStoreFileName(from);
  if (!status.ok() && name) {
    // LevelDB names the temporary file by the number of the manifest.
    const std::lock_guard lock(mutex_);
    kept_.insert(name->number);
  }
  return status;
}

leveldb::Status OrderedFiles::RemoveFile(const std::string& path) {
  const std::optional<StoreFileName> name = ParseStoreFileName(path);
  if (name) {
    const std::lock_guard lock(mutex_);
    const bool is_manifest = name->kind == StoreFileKind::kManifest;
    if (is_manifest && kept_.contains(name->number)) return leveldb::Status::OK();
    if (name->kind == StoreFileKind::kLog) logs_.erase(name->number);
  }
  return target()->RemoveFile(path);
}

}  // namespace hashrange
