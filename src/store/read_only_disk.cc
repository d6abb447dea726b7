#include "store/read_only_disk.h"

#include <leveldb/helpers/memenv.h>

#include <algorithm>

#include "store/file_names.h"

namespace hashrange {
namespace {

class NoLock : public leveldb::FileLock {};

}  // namespace

ReadOnlyDisk::ReadOnlyDisk(Disk& disk)
    : Disk(&disk), disk_(disk), memory_(leveldb::NewMemEnv(&disk)) {}

void ReadOnlyDisk::Freeze() {
  const std::lock_guard lock(mutex_);
  is_frozen_ = true;
}

leveldb::Env& ReadOnlyDisk::PlaceOf(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return memory_->FileExists(path) || removed_.contains(path) ? *memory_
                                                              : static_cast<leveldb::Env&>(disk_);
}

leveldb::Status ReadOnlyDisk::SyncDirectory(const std::string&) { return leveldb::Status::OK(); }
leveldb::Status ReadOnlyDisk::SyncFile(const std::string&) { return leveldb::Status::OK(); }
bool ReadOnlyDisk::IsLocked(const std::string& path) { return disk_.IsLocked(path); }
leveldb::Status ReadOnlyDisk::CreateDir(const std::string&) { return leveldb::Status::OK(); }
std::optional<std::uint64_t> ReadOnlyDisk::FreeBytes(const std::string&) { return std::nullopt; }

leveldb::Status ReadOnlyDisk::TruncateFile(const std::string& path, std::uint64_t size_bytes) {
  std::string content;
  leveldb::Status status = leveldb::ReadFileToString(this, path, &content);
  if (!status.ok()) return status;
  content.resize(std::min<std::uint64_t>(size_bytes, content.size()));
  return leveldb::WriteStringToFile(this, content, path);
}

leveldb::Status ReadOnlyDisk::NewSequentialFile(const std::string& path,
                                                leveldb::SequentialFile** file) {
  return PlaceOf(path).NewSequentialFile(path, file);
}

leveldb::Status ReadOnlyDisk::NewRandomAccessFile(const std::string& path,
                                                  leveldb::RandomAccessFile** file) {
  return PlaceOf(path).NewRandomAccessFile(path, file);
}

leveldb::Status ReadOnlyDisk::NewWritableFile(const std::string& path,
                                              leveldb::WritableFile** file) {
  *file = nullptr;
  const std::lock_guard lock(mutex_);
  if (is_frozen_) return leveldb::Status::IOError(path, "nothing is written");
  return memory_->NewWritableFile(path, file);
}

bool ReadOnlyDisk::FileExists(const std::string& path) { return PlaceOf(path).FileExists(path); }

leveldb::Status ReadOnlyDisk::GetChildren(const std::string& directory,
                                          std::vector<std::string>* names) {
  leveldb::Status status = disk_.GetChildren(directory, names);
  if (!status.ok()) return status;
  std::vector<std::string> made;
  status = memory_->GetChildren(directory, &made);
  if (!status.ok()) return status;
  const std::lock_guard lock(mutex_);
  std::erase_if(*names, [&](const std::string& name) {
    return removed_.contains(PathIn(directory, name)) || std::ranges::count(made, name) > 0;
  });
  names->insert(names->end(), made.begin(), made.end());
  return status;
}

leveldb::Status ReadOnlyDisk::RemoveFile(const std::string& path) {
  if (!FileExists(path)) return leveldb::Status::NotFound(path, "no such file");
  const std::lock_guard lock(mutex_);
  if (memory_->FileExists(path)) (void)memory_->RemoveFile(path);
  removed_.insert(path);
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyDisk::GetFileSize(const std::string& path, std::uint64_t* size) {
  return PlaceOf(path).GetFileSize(path, size);
}

// Only files that were made here are renamed.
leveldb::Status ReadOnlyDisk::RenameFile(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  return memory_->RenameFile(from, to);
}

leveldb::Status ReadOnlyDisk::LockFile(const std::string& path, leveldb::FileLock** lock) {
  if (disk_.FileExists(path)) {
    const leveldb::Status status = disk_.LockFile(path, lock);
    const bool is_held = status.ToString().find("already held") != std::string::npos;
    if (status.ok() || is_held) return status;
    // The file cannot be written, or another process holds it.
    if (disk_.IsLocked(path)) return leveldb::Status::IOError(path, "already held");
  }
  *lock = new NoLock();
  const std::lock_guard guard(mutex_);
  own_.insert(*lock);
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyDisk::UnlockFile(leveldb::FileLock* lock) {
  {
    const std::lock_guard guard(mutex_);
    if (own_.erase(lock) > 0) {
      delete lock;
      return leveldb::Status::OK();
    }
  }
  return disk_.UnlockFile(lock);
}

}  // namespace hashrange
