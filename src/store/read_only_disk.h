// ReadOnlyDisk: a disk that shows what another disk has, and keeps in memory what is written to it.
// So a LevelDB can be opened, which writes when it is opened, and nothing on the disk changes: not
// even on a file system that is mounted read-only.
#pragma once

#include <leveldb/env.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/disk.h"

namespace hashrange {

// Thread-safe.
class ReadOnlyDisk : public Disk {
 public:
  // `disk` outlives the object.
  explicit ReadOnlyDisk(Disk& disk);

  // From now on no file can be made. Without it, LevelDB may rewrite all tables, in memory.
  void Freeze();

  leveldb::Status SyncDirectory(const std::string& directory) override;
  leveldb::Status TruncateFile(const std::string& path, std::uint64_t size_bytes) override;
  leveldb::Status SyncFile(const std::string& path) override;
  bool IsLocked(const std::string& path) override;
  std::optional<std::uint64_t> FreeBytes(const std::string& directory) override;

  leveldb::Status NewSequentialFile(const std::string& path,
                                    leveldb::SequentialFile** file) override;
  leveldb::Status NewRandomAccessFile(const std::string& path,
                                      leveldb::RandomAccessFile** file) override;
  leveldb::Status NewWritableFile(const std::string& path, leveldb::WritableFile** file) override;
  bool FileExists(const std::string& path) override;
  leveldb::Status GetChildren(const std::string& directory,
                              std::vector<std::string>* names) override;
  leveldb::Status RemoveFile(const std::string& path) override;
  leveldb::Status CreateDir(const std::string& directory) override;
  leveldb::Status GetFileSize(const std::string& path, std::uint64_t* size) override;
  leveldb::Status RenameFile(const std::string& from, const std::string& to) override;
  // Locks the file of the disk if there is one and it may be written. Otherwise only looks whether
  // another process has locked it.
  leveldb::Status LockFile(const std::string& path, leveldb::FileLock** lock) override;
  leveldb::Status UnlockFile(leveldb::FileLock* lock) override;

 private:
  // Returns where the file is now: in memory or on the disk.
  leveldb::Env& PlaceOf(const std::string& path);

  Disk& disk_;
  const std::unique_ptr<leveldb::Env> memory_;
  std::mutex mutex_;                  // guards what follows
  std::set<std::string> removed_;     // files of the disk that are not shown
  std::set<leveldb::FileLock*> own_;  // locks that nobody else sees
  bool is_frozen_ = false;
};

}  // namespace hashrange
