#include "store/directory_check.h"

#include <leveldb/db.h>
#include <leveldb/env.h>
#include <leveldb/helpers/memenv.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/data_directory.h"
#include "store/data_reader.h"
#include "store/files/disk.h"
#include "store/files/file_names.h"
#include "store/files/level_db.h"
#include "store/store_writer.h"
#include "store/stored_item.h"

namespace hashrange {
namespace {

// ReadOnlyDisk: a disk that shows what another disk has, and keeps in memory what is written to it.
// So a LevelDB can be opened, which writes when it is opened, and nothing on the disk changes: not
// even on a file system that is mounted read-only. Thread-safe.
class ReadOnlyDisk : public Disk {
 public:
  // `disk` outlives the object.
  explicit ReadOnlyDisk(Disk& disk)
      : Disk(&disk), disk_(disk), memory_(leveldb::NewMemEnv(&disk)) {}

  // From now on no file can be made. Without it, LevelDB may rewrite all tables, in memory.
  void Freeze() {
    const std::lock_guard lock(mutex_);
    is_frozen_ = true;
  }

  leveldb::Status SyncDirectory(const std::string&) override { return leveldb::Status::OK(); }
  leveldb::Status SyncFile(const std::string&) override { return leveldb::Status::OK(); }
  leveldb::Status CreateDir(const std::string&) override { return leveldb::Status::OK(); }
  bool IsLocked(const std::string& path) override { return disk_.IsLocked(path); }
  std::optional<std::uint64_t> FreeBytes(const std::string&) override { return std::nullopt; }

  leveldb::Status TruncateFile(const std::string& path, std::uint64_t size_bytes) override {
    std::string content;
    leveldb::Status status = leveldb::ReadFileToString(this, path, &content);
    if (!status.ok()) return status;
    content.resize(std::min<std::uint64_t>(size_bytes, content.size()));
    return leveldb::WriteStringToFile(this, content, path);
  }

  leveldb::Status NewSequentialFile(const std::string& path,
                                    leveldb::SequentialFile** file) override {
    return PlaceOf(path).NewSequentialFile(path, file);
  }
  leveldb::Status NewRandomAccessFile(const std::string& path,
                                      leveldb::RandomAccessFile** file) override {
    return PlaceOf(path).NewRandomAccessFile(path, file);
  }
  leveldb::Status NewWritableFile(const std::string& path, leveldb::WritableFile** file) override {
    *file = nullptr;
    const std::lock_guard lock(mutex_);
    if (is_frozen_) return leveldb::Status::IOError(path, "nothing is written");
    return memory_->NewWritableFile(path, file);
  }

  bool FileExists(const std::string& path) override { return PlaceOf(path).FileExists(path); }
  leveldb::Status GetFileSize(const std::string& path, std::uint64_t* size) override {
    return PlaceOf(path).GetFileSize(path, size);
  }
  leveldb::Status GetChildren(const std::string& directory,
                              std::vector<std::string>* names) override {
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

  leveldb::Status RemoveFile(const std::string& path) override {
    if (!FileExists(path)) return leveldb::Status::NotFound(path, "no such file");
    const std::lock_guard lock(mutex_);
    if (memory_->FileExists(path)) (void)memory_->RemoveFile(path);
    removed_.insert(path);
    return leveldb::Status::OK();
  }
  // Only files that were made here are renamed.
  leveldb::Status RenameFile(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    return memory_->RenameFile(from, to);
  }

  // Locks the file of the disk if there is one and it may be written. Otherwise only looks whether
  // another process has locked it.
  leveldb::Status LockFile(const std::string& path, leveldb::FileLock** lock) override {
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
  leveldb::Status UnlockFile(leveldb::FileLock* lock) override {
    {
      const std::lock_guard guard(mutex_);
      if (own_.erase(lock) > 0) {
        delete lock;
        return leveldb::Status::OK();
      }
    }
    return disk_.UnlockFile(lock);
  }

 private:
  class NoLock : public leveldb::FileLock {};

  // Returns where the file is now: in memory or on the disk.
  leveldb::Env& PlaceOf(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (memory_->FileExists(path) || removed_.contains(path)) return *memory_;
    return disk_;
  }

  Disk& disk_;
  const std::unique_ptr<leveldb::Env> memory_;
  std::mutex mutex_;                  // guards what follows
  std::set<std::string> removed_;     // files of the disk that are not shown
  std::set<leveldb::FileLock*> own_;  // locks that nobody else sees
  bool is_frozen_ = false;
};

constexpr int kItemsRemovedAtOnce = 10'000;

std::vector<std::string> FilesOf(const DataDirectory& directory) {
  std::vector<std::string> names;
  const leveldb::Status unread = directory.disk().GetChildren(directory.path(), &names);
  return unread.ok() ? names : std::vector<std::string>();
}

std::uint64_t FileBytes(const DataDirectory& directory, const std::string& name) {
  std::uint64_t bytes = 0;
  const leveldb::Status status =
      directory.disk().GetFileSize(PathIn(directory.path(), name), &bytes);
  return status.ok() ? bytes : 0;
}

std::uint64_t DirectoryBytes(const DataDirectory& directory) {
  std::uint64_t bytes = 0;
  for (const std::string& name : FilesOf(directory)) {
    if (name != "." && name != "..") bytes += FileBytes(directory, name);
  }
  return bytes;
}

class DirectoryCheck {
 public:
  DirectoryCheck(DataDirectory& directory, const RecordRules& rules)
      : directory_(directory), rules_(rules) {}

  DirectoryReport Run() {
    report_.bytes_on_disk = DirectoryBytes(directory_);
    report_.damaged_ends = directory_.cut_files();
    for (std::string& damage : FindDamagedTables(directory_.disk(), directory_.path())) {
      AddDamage(std::move(damage));
    }
    ReadSchemas();
    CheckRecords();
    return std::move(report_);
  }

 private:
  struct CheckedTable {
    explicit CheckedTable(KeySchema key) : schema(std::move(key)), reader(schema) {}
    const KeySchema schema;
    StoredItemReader reader;
  };

  void AddDamage(std::string sentence) {
    ++report_.damage_count;
    if (report_.damages.size() < DirectoryReport::kMaxDamages) {
      report_.damages.push_back(std::move(sentence));
    }
  }

  void ReadSchemas() {
    const Status read =
        DataReader(directory_)
            .ForEachRecord(RecordKind::kTable,
                           [this](const StoreKeyParts& key, std::string_view value) -> Status {
                             ids_.insert(key.id);
                             Result<KeySchema> schema = rules_.read_schema(value);
                             if (schema.ok()) {
                               tables_.emplace(key.id, std::make_unique<CheckedTable>(
                                                           std::move(schema).value()));
                             } else {
                               AddDamage("the table with id " + std::to_string(key.id) +
                                         " is damaged: " + schema.error().message);
                             }
                             return {};
                           });
    if (!read.ok()) AddDamage(read.error().message);
    ReadSchemasOfSeeds();
  }

  // The items of a seed that was interrupted are items of its table, which gets them at a start.
  void ReadSchemasOfSeeds() {
    const Status read =
        DataReader(directory_)
            .ForEachRecord(RecordKind::kSeed, [this](const StoreKeyParts& key, std::string_view) {
              const auto table = tables_.find(key.number);
              if (table == tables_.end()) return Status();
              tables_.emplace(key.id, std::make_unique<CheckedTable>(table->second->schema));
              return Status();
            });
    if (!read.ok()) AddDamage(read.error().message);
  }

  void CheckRecords() {
    const std::unique_ptr<leveldb::Iterator> at(directory_.db()->NewIterator(CheckedOnce()));
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      const std::string_view key = ToView(at->key());
      const std::optional<StoreKeyParts> parts = ParseStoreKey(key);
      if (!parts) {
        AddDamage("there is " + StoreKeyText(key));
      } else if (parts->kind == RecordKind::kItem) {
        CheckItem(key, *parts, ToView(at->value()));
      } else {
        CheckRecord(key, *parts, ToView(at->value()));
      }
    }
    // What is damaged in a file is reported with the file.
    if (!at->status().ok() && report_.damage_count == 0) AddDamage(at->status().ToString());
  }

  void CheckItem(std::string_view key, const StoreKeyParts& parts, std::string_view value) {
    const auto table = tables_.find(parts.id);
    if (table == tables_.end()) {
      ++(ids_.contains(parts.id) ? report_.items : report_.left_items);
      return;
    }
    ++report_.items;
    const Result<ItemRef> item = table->second->reader.Read(parts.number, parts.rest, value);
    if (!item.ok()) AddDamage(StoreKeyText(key) + " is damaged: " + item.error().message);
  }

  void CheckRecord(std::string_view key, const StoreKeyParts& parts, std::string_view value) {
    switch (parts.kind) {
      case RecordKind::kTable:
        ++report_.tables;
        break;
      case RecordKind::kStreamRecord:
        ++report_.stream_records;
        break;
      default:
        ++report_.other_records;
        break;
    }
    if (!rules_.check_record) return;
    const Status checked = rules_.check_record(parts, value);
    if (!checked.ok()) AddDamage(StoreKeyText(key) + " is damaged: " + checked.error().message);
  }

  DataDirectory& directory_;
  const RecordRules& rules_;
  DirectoryReport report_;
  std::set<std::uint64_t> ids_;  // of all table records
  std::map<std::uint64_t, std::unique_ptr<CheckedTable>> tables_;
};

// Removes the items of the tables that are deleted, but not the items of seeds.
Status RemoveLeftItems(DataDirectory& directory) {
  std::set<std::uint64_t> ids;
  const DataReader reader(directory);
  for (const RecordKind kind : {RecordKind::kTable, RecordKind::kSeed}) {
    HR_RETURN_IF_ERROR(
        reader.ForEachRecord(kind, [&](const StoreKeyParts& key, std::string_view) -> Status {
          ids.insert(key.id);
          return {};
        }));
  }
  HR_ASSIGN(const std::vector<std::uint64_t> with_items, reader.TablesWithItems());
  StoreWriter writer(directory, true);
  for (const std::uint64_t id : with_items) {
    if (ids.contains(id)) continue;
    for (bool has_more = true; has_more;) {
      HR_ASSIGN(has_more, writer.RemoveSome(StoreKeyRange::OfItems(id), kItemsRemovedAtOnce));
    }
  }
  return {};
}

Result<std::unique_ptr<DataDirectory>> OpenRepaired(const std::string& path, Disk* disk) {
  DataDirectory::Options options;
  options.disk = disk;
  options.creates = false;
  options.repairs = true;
  return DataDirectory::Open(path, options);
}

}  // namespace

Result<DirectoryReport> CheckDirectory(const std::string& path, const RecordRules& rules,
                                       Disk* disk) {
  ReadOnlyDisk files(disk ? *disk : SystemDisk());
  const auto directory = OpenRepaired(path, &files);
  files.Freeze();
  if (directory.ok()) return DirectoryCheck(**directory, rules).Run();
  if (directory.error().code == ErrorCode::kValidationException) return directory.error();
  DirectoryReport report;
  report.damages = FindDamagedTables(files, path);
  report.damages.insert(report.damages.begin(), directory.error().message);
  report.damage_count = report.damages.size();
  report.is_unreadable = true;
  return report;
}

Result<std::vector<CutFile>> RepairDirectory(const std::string& path, Disk* disk) {
  {
    // Nothing is cut off if the directory cannot be used afterwards.
    ReadOnlyDisk files(disk ? *disk : SystemDisk());
    HR_ASSIGN(const std::unique_ptr<DataDirectory> directory, OpenRepaired(path, &files));
    files.Freeze();
    const std::vector<std::string> damages = FindDamagedTables(files, path);
    if (!damages.empty()) {
      return InternalError(PathIn(path, damages.front()) +
                           "; nothing repairs a table, and nothing was changed");
    }
  }
  HR_ASSIGN(const std::unique_ptr<DataDirectory> directory, OpenRepaired(path, disk));
  return directory->cut_files();
}

Result<CompactionReport> CompactDirectory(const std::string& path, Disk* disk) {
  DataDirectory::Options options;
  options.disk = disk;
  options.creates = false;
  HR_ASSIGN(const std::unique_ptr<DataDirectory> directory, DataDirectory::Open(path, options));
  CompactionReport report;
  report.bytes_before = DirectoryBytes(*directory);
  HR_RETURN_IF_ERROR(RemoveLeftItems(*directory));
  directory->db()->CompactRange(nullptr, nullptr);
  // LevelDB does not say whether the compaction has succeeded; a write after a failure fails.
  leveldb::WriteBatch nothing;
  HR_RETURN_IF_ERROR(
      ToStatus(directory->db()->Write(Flushed(true), &nothing), "cannot compact " + path));
  report.bytes_after = DirectoryBytes(*directory);
  return report;
}

}  // namespace hashrange
