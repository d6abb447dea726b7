#include "store/ordered_files.h"

#include <memory>
#include <optional>

#include "store/file_names.h"

namespace hashrange {

// A log, a manifest or a table that LevelDB writes.
class OrderedFiles::OrderedFile : public leveldb::WritableFile {
 public:
  OrderedFile(OrderedFiles& files, leveldb::WritableFile* file, const std::string& path,
              StoreFileKind kind)
      : files_(files), file_(file), directory_(DirectoryOf(path)), kind_(kind) {}
  ~OrderedFile() override {
    const std::lock_guard lock(files_.mutex_);
    if (files_.open_log_ == this) files_.open_log_ = nullptr;
  }

  leveldb::Status Append(const leveldb::Slice& data) override {
    return status_.ok() ? Keep(file_->Append(data)) : status_;
  }
  leveldb::Status Flush() override { return status_.ok() ? Keep(file_->Flush()) : status_; }
  leveldb::Status Sync() override {
    if (!status_.ok() || !Keep(file_->Sync()).ok()) return status_;
    const bool is_table = kind_ == StoreFileKind::kTable;
    return is_table ? Keep(files_.disk_.SyncDirectory(directory_)) : status_;
  }
  leveldb::Status Close() override {
    const leveldb::Status closed = file_->Close();
    return status_.ok() ? Keep(closed) : status_;
  }

 private:
  const leveldb::Status& Keep(const leveldb::Status& status) { return status_ = status; }

  OrderedFiles& files_;
  const std::unique_ptr<leveldb::WritableFile> file_;
  const std::string directory_;
  const StoreFileKind kind_;
  leveldb::Status status_;  // the first error
};

leveldb::Status OrderedFiles::NewWritableFile(const std::string& path,
                                              leveldb::WritableFile** file) {
  *file = nullptr;
  const std::optional<StoreFileName> name = ParseStoreFileName(path);
  if (!name || name->kind == StoreFileKind::kTemporary) {
    return target()->NewWritableFile(path, file);
  }
  const bool is_flushed_log = name->kind == StoreFileKind::kLog && options_.flushes_logs;
  leveldb::Status status = is_flushed_log ? FlushOpenLog() : leveldb::Status::OK();
  if (!status.ok()) return status;
  leveldb::WritableFile* opened = nullptr;
  status = target()->NewWritableFile(path, &opened);
  if (!status.ok()) return status;
  auto ordered = std::make_unique<OrderedFile>(*this, opened, path, name->kind);
  if (is_flushed_log) {
    status = disk_.SyncDirectory(DirectoryOf(path));
    if (!status.ok()) return status;
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
  if (name && name->kind == StoreFileKind::kManifest) {
    const std::lock_guard lock(mutex_);
    if (kept_.contains(name->number)) return leveldb::Status::OK();
  }
  return target()->RemoveFile(path);
}

}  // namespace hashrange
