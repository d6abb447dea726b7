#include "store/backup.h"

#include <leveldb/db.h>
#include <leveldb/write_batch.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "store/files/file_names.h"
#include "store/files/format_file.h"
#include "store/files/level_db.h"
#include "store/files/ordered_files.h"
#include "store/files/store_keys.h"

namespace hashrange {
namespace {

constexpr std::size_t kCopyBatchBytes = 1 << 20;
constexpr std::size_t kCopyLogBytes = 32 << 20;

// A state of the LevelDB, kept while the object exists.
class Snapshot {
 public:
  explicit Snapshot(leveldb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~Snapshot() { db_.ReleaseSnapshot(snapshot_); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  const leveldb::Snapshot* get() const { return snapshot_; }

 private:
  leveldb::DB& db_;
  const leveldb::Snapshot* const snapshot_;
};

std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

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

class Copy {
 public:
  Copy(const DataDirectory::Use& from, Disk& disk, const std::string& to,
       std::uint64_t reserve_bytes)
      : from_(from), disk_(disk), to_(WithoutSlash(to)), reserve_bytes_(reserve_bytes) {}

  Status Run() {
    HR_RETURN_IF_ERROR(MakeDirectory());
    const Status copied = CopyAll();
    if (!copied.ok()) RemoveCopy();
    return copied.ok() ? WriteFormatFile(disk_, to_, false) : Status(copied.error());
  }

 private:
  Status MakeDirectory() {
    if (from_.db() == nullptr) return StoreError("The data directory cannot be read at present.");
    if (IsInside(to_, from_.directory())) {
      return ValidationError(to_ + " is in the data directory of this server, " +
                             from_.directory() + ": name a directory outside of it");
    }
    HR_RETURN_IF_ERROR(disk_.CheckIsPrivate(to_));
    const Result<DirectoryContent> content = InspectDirectory(disk_, to_);
    if (!content.ok()) return ValidationError(content.error().message);
    if (*content == DirectoryContent::kNone) {
      leveldb::Status status = disk_.CreateDir(to_);
      if (status.ok()) status = disk_.SyncDirectory(DirectoryOf(to_));
      if (!status.ok()) return ValidationError("cannot create " + to_ + ": " + status.ToString());
      return {};
    }
    if (*content != DirectoryContent::kEmpty) return ValidationError(to_ + " has files already");
    return {};
  }

  Status CopyAll() {
    OrderedFiles files(disk_, {});
    HR_ASSIGN(const std::unique_ptr<leveldb::DB> db, OpenLevelDb(files, to_, kCopyLogBytes));
    const Snapshot snapshot(*from_.db());
    leveldb::ReadOptions options;
    options.verify_checksums = true;
    options.fill_cache = false;
    options.snapshot = snapshot.get();
    const std::unique_ptr<leveldb::Iterator> at(from_.db()->NewIterator(options));
    leveldb::WriteBatch batch;
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      // It speaks of logs of the other directory.
      if (ToView(at->key()) == StoreKey::OfLogPosition().bytes()) continue;
      batch.Put(at->key(), at->value());
      if (batch.ApproximateSize() < kCopyBatchBytes) continue;
      HR_RETURN_IF_ERROR(Write(*db, &batch, false));
    }
    if (!at->status().ok()) {
      return StoreError("cannot read the data: " + at->status().ToString());
    }
    HR_RETURN_IF_ERROR(Write(*db, &batch, true));
    const leveldb::Status status = files.FlushLogs();
    return status.ok() ? Status() : StoreError("cannot write " + to_ + ": " + status.ToString());
  }

  Status Write(leveldb::DB& db, leveldb::WriteBatch* batch, bool flushes) {
    if (from_.is_closing()) return StoreError("The data directory failed during the copy.");
    const std::optional<std::uint64_t> free = disk_.FreeBytes(to_);
    if (free && *free < reserve_bytes_) {
      return StoreError("the disk of " + to_ + " has too little room");
    }
    leveldb::WriteOptions options;
    options.sync = flushes;
    const leveldb::Status status = db.Write(options, batch);
    batch->Clear();
    return status.ok() ? Status() : StoreError("cannot write " + to_ + ": " + status.ToString());
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
  return Copy(from, disk, to, reserve_bytes).Run();
}

}  // namespace hashrange
