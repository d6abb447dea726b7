// Disk: the files beneath LevelDB, with what LevelDB's own interface of them lacks. The system's
// disk is a thin layer over LevelDB's; tests put a simulated one in its place. What the system's
// disk makes, only the server's user may read or change (base/output_folder.h). Thread-safe.
#pragma once

#include <leveldb/env.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

class Disk : public leveldb::EnvWrapper {
 public:
  using leveldb::EnvWrapper::EnvWrapper;

  // Returns an error with a sentence when another user could exchange the directory, which may not
  // exist yet, or what is in it.
  virtual Status CheckIsPrivate(const std::string& directory) {
    (void)directory;
    return {};
  }
  // Flushes the entries of the directory: which names there are, and what they name.
  virtual leveldb::Status SyncDirectory(const std::string& directory) = 0;
  // Cuts the file to that size, which is not more than its own. Does not flush it.
  virtual leveldb::Status TruncateFile(const std::string& file, std::uint64_t size_bytes) = 0;
  // Flushes the content of a file that nobody has open for writing.
  virtual leveldb::Status SyncFile(const std::string& file) = 0;
  // Returns whether another process holds the file locked (LockFile). Needs no right to write it.
  virtual bool IsLocked(const std::string& file) = 0;
  // Returns how many bytes the server may still write to the file system of the directory; none if
  // the system does not say.
  virtual std::optional<std::uint64_t> FreeBytes(const std::string& directory) = 0;
};

// Returns the disk of the system.
Disk& SystemDisk();

// Returns an InternalServerError if the work on the disk has failed: "<failed>: <LevelDB's
// sentence>".
Status ToStatus(const leveldb::Status& done, const std::string& failed);
// The same, with the sentence alone.
Status ToStatus(const leveldb::Status& done);

// Makes a directory, flushed with its name.
// Errors: ValidationException with a sentence
Status MakeDirectory(Disk& disk, const std::string& directory);

// Makes a file with that content, flushed with its name, or replaces one: after a power cut, the
// file is the old or the new one. Writes `path`.tmp before.
leveldb::Status ReplaceFile(Disk& disk, const std::string& path, std::string_view content);

}  // namespace hashrange
