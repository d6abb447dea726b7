// OrderedFiles stands between LevelDB and the disk, and flushes what must be on the disk before
// something else is. LevelDB alone leaves these gaps:
//
//   log        A new log may reach the disk although the end of the log before it does not, and a
//              flush covers the new one only. With Options::flushes_logs, the old log is flushed
//              before the new one is made, and the new one's name before it is used. Then it is
//              recorded how far each log is on the disk (store/files/log_ends.h).
//   table      The manifest may reach the disk with an edit that names a table whose own name has
//              not. Here a table is flushed together with its name.
//   error      After an edit of the manifest that was not written or flushed, LevelDB may write
//              another one behind it. Here a file that has failed once takes nothing more.
//   CURRENT    is renamed but the directory is not flushed, while the files that only the old
//              manifest names are deleted. Here the directory is flushed at once.
//   manifest   When the renaming of CURRENT fails, LevelDB deletes the new manifest, which CURRENT
//              may name already. Here it stays.
//
// One object serves one LevelDB; thread-safe.
#pragma once

#include <leveldb/env.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "store/files/disk.h"
#include "store/files/log_ends.h"

namespace hashrange {

class OrderedFiles : public leveldb::EnvWrapper {
 public:
  struct Options {
    bool flushes_logs = true;
    LogEnds ends = {};  // of the logs that are there
  };

  // `disk` outlives the object, and the object the LevelDB.
  OrderedFiles(Disk& disk, const Options& options)
      : leveldb::EnvWrapper(&disk), disk_(disk), flushes_logs_(options.flushes_logs) {
    for (const auto& [log, bytes] : options.ends) logs_[log] = {bytes, bytes};
  }

  leveldb::Status NewWritableFile(const std::string& path, leveldb::WritableFile** file) override;
  leveldb::Status RenameFile(const std::string& from, const std::string& to) override;
  leveldb::Status RemoveFile(const std::string& path) override;

  // Returns what the last flush of a log has made safe; none if there was none, and always none
  // without flushes_logs.
  std::optional<LogPosition> last_flush();
  // Records how far the logs were flushed. For the thread that writes to the LevelDB, and only with
  // flushes_logs.
  leveldb::Status RecordEnds();
  // Flushes all logs, and records it. Nobody writes to the LevelDB any more.
  leveldb::Status FlushLogs();

 private:
  class OrderedFile;
  struct Log {
    std::uint64_t written = 0;  // up to date when the log is closed
    std::uint64_t flushed = 0;
  };

  // Flushes the log that LevelDB has open.
  leveldb::Status FlushOpenLog();
  // Returns whether the log was made, and not removed.
  bool HasLog(std::uint64_t number);

  Disk& disk_;
  const bool flushes_logs_;
  std::mutex mutex_;                 // guards what follows
  OrderedFile* open_log_ = nullptr;  // the newest log, while LevelDB has it open
  std::string directory_;            // of the logs
  std::map<std::uint64_t, Log> logs_;
  std::optional<LogPosition> last_flush_;
  std::set<std::uint64_t> kept_;  // the manifests that CURRENT may name
};

}  // namespace hashrange
