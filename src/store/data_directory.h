// DataDirectory: a directory that keeps the data of one server, while that server uses it.
//
//   Open ──▶ DataReader reads all that is stored ──▶ Journal writes what changes
//
// The content is a LevelDB (store/files/store_keys.h), the file HASHRANGE
// (store/files/format_file.h), and the file that is locked while the directory is open.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/files/disk.h"
#include "store/files/log_repair.h"

namespace leveldb {
class DB;
class FileLock;
}  // namespace leveldb

namespace hashrange {

class OrderedFiles;

class DataDirectory {
 public:
  struct Options {
    Disk* disk = nullptr;  // null: the system's; outlives the directory
    // Whether a log is flushed before the next one is begun. Without it, a flush does not cover
    // what was written before: only for a journal that never flushes.
    bool flushes_logs = true;
    // Whether a directory without data becomes one that has none; otherwise it is an error.
    bool creates = true;
    // Whether damage of logs that no power cut explains is cut off, too; otherwise it is an error.
    bool repairs = false;
    std::size_t log_bytes = 32 << 20;  // LevelDB turns a log of that size into a table
  };

  // Opens the directory, makes it if it does not exist (but not the one that it is in), locks it,
  // and cuts off what a power cut has left at the end of its log (store/files/log_repair.h).
  // Errors; the message is a sentence that names the directory:
  //   ValidationException  it does not exist, is used by another server, is not a data directory,
  //                        was written by a newer version, another user could change what is in it,
  //                        or it cannot be created, read or locked
  //   InternalServerError  it is damaged; a file cannot be read or written
  static Result<std::unique_ptr<DataDirectory>> Open(std::string path, const Options& options);
  ~DataDirectory();  // calls FlushLogs
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  const std::string& path() const { return path_; }
  Disk& disk() const { return disk_; }
  const Options& options() const { return options_; }
  // Returns whether the directory had no data before it was opened.
  bool is_new() const { return is_new_; }
  // What was cut off when it was opened; without `repairs`, it is also logged.
  const std::vector<CutFile>& cut_files() const { return cut_files_; }
  // Returns how many bytes may still be written; none if the system does not say.
  std::optional<std::uint64_t> FreeBytes() const;

  // The LevelDB, for one thread that also calls the functions below; null after a Reopen that has
  // failed.
  leveldb::DB* db() const { return db_.get(); }
  // Returns what the last flush of a log has made safe; none if there was none since the LevelDB
  // was opened.
  std::optional<LogPosition> last_flush() const;
  // Records on the disk how far the logs are flushed (store/files/log_ends.h). If it fails, the
  // record before is in force.
  void RecordFlushed();
  // Flushes the logs, and records how far they reach. Nobody writes any more. If it fails, less is
  // known of the logs, which loses nothing. Idempotent.
  void FlushLogs();
  // Closes the LevelDB and opens it again, with the damaged end of its log cut off. Waits until no
  // other thread uses it.
  // Errors: as Open; the LevelDB is then closed.
  Status Reopen();

  // Use of the LevelDB by another thread than the one that calls Reopen. `db` is null if it is
  // closed. While is_closing is true, Reopen waits: the use must end.
  class Use {
   public:
    explicit Use(DataDirectory& directory);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    leveldb::DB* db() const { return db_; }
    const std::string& directory() const { return directory_.path(); }
    bool is_closing() const { return directory_.is_closing_.load(); }

   private:
    DataDirectory& directory_;
    leveldb::DB* db_;
  };

 private:
  DataDirectory(std::string path, const Options& options);
  Status Prepare();
  Status Lock();
  Status OpenStore(CutMode mode);

  const std::string path_;
  const Options options_;
  Disk& disk_;
  leveldb::FileLock* lock_ = nullptr;
  bool is_new_ = false;
  bool has_flushed_logs_ = false;
  std::vector<CutFile> cut_files_;
  std::unique_ptr<OrderedFiles> files_;
  std::unique_ptr<leveldb::DB> db_;  // is set and reset with `mutex_` held

  std::mutex mutex_;
  std::condition_variable unused_;
  int uses_ = 0;  // guarded by `mutex_`
  std::atomic<bool> is_closing_{false};
};

// Copies the data of a directory that is in use, as of one instant, to `to`, which does not exist
// or is empty, as a data directory that is flushed. Stops when less than `reserve_bytes` are left
// on the disk of `to`.
// Errors: ValidationException  there cannot be a new directory, `to` has files, or is in the
//                              directory itself
//         InternalServerError  the copy failed; what was copied before is deleted, or cannot be
//                              opened
Status CopyData(const DataDirectory::Use& from, Disk& disk, const std::string& to,
                std::uint64_t reserve_bytes);

}  // namespace hashrange
