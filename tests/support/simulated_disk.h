// SimulatedDisk: a disk in memory that can lose what was not flushed, fail and fill up.
//
//   file       its bytes as a program reads them, and those that are on the disk for certain
//   directory  its names as a program reads them, those that are on the disk, and the changes since
//
// When the power is cut, each page of a file that was not flushed is kept, dropped or torn, the
// file's size is anything between the two, and any of the changes of names may be lost. A flush
// that fails drops what it should have flushed: a later flush does not write it, as with Linux, and
// a program may or may not read it any more.
// What a program has appended but not written out is lost when the program is killed. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "store/files/disk.h"

namespace hashrange::test {

class SimulatedDisk : public Disk {
 public:
  explicit SimulatedDisk(std::uint64_t seed);
  ~SimulatedDisk() override;

  struct Faults {
    // Each n-th call that changes something fails, or each with a chance of one in n; 0: none. A
    // write that fails may be done in part; a rename may be done, or be on the disk although nobody
    // sees it.
    int every_nth_change = 0;
    int one_change_in = 0;
    // From the n-th call on that changes something, each fails; 0: none. A program that gives up
    // then leaves what one leaves that was killed at that call.
    int from_nth_change = 0;
    bool all_flushes = false;
    bool all_writes = false;
    std::optional<std::uint64_t> capacity_bytes = std::nullopt;
    // What a failed flush has dropped is not readable any more, half of the times. Some systems go
    // on to show it.
    bool hides_dropped = false;
  };
  // The count of calls begins again.
  void SetFaults(const Faults& faults);

  // From now on every call fails, until StartAgain: the program is dead.
  void Kill();
  // The same, and what was not flushed is lost in part.
  void CutPower();
  void StartAgain();

  // Looks at files and damages them.
  std::vector<std::string> FilesIn(const std::string& directory);
  std::string Content(const std::string& path);
  // Writes the file, flushed with its name.
  void SetContent(const std::string& path, const std::string& content);
  // Flips the bits of `mask` in one byte of the file.
  void Flip(const std::string& path, std::size_t at, int mask = 1);
  // How many calls have flushed a file or directory, or failed to.
  int flushes();
  std::uint64_t used_bytes();
  // How often somebody has asked for the free bytes.
  int looks_at_room();

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
  leveldb::Status NewAppendableFile(const std::string& path, leveldb::WritableFile** file) override;
  bool FileExists(const std::string& path) override;
  leveldb::Status GetChildren(const std::string& directory,
                              std::vector<std::string>* names) override;
  leveldb::Status RemoveFile(const std::string& path) override;
  leveldb::Status CreateDir(const std::string& directory) override;
  leveldb::Status RemoveDir(const std::string& directory) override;
  leveldb::Status GetFileSize(const std::string& path, std::uint64_t* size) override;
  leveldb::Status RenameFile(const std::string& from, const std::string& to) override;
  leveldb::Status LockFile(const std::string& path, leveldb::FileLock** lock) override;
  leveldb::Status UnlockFile(leveldb::FileLock* lock) override;
  leveldb::Status NewLogger(const std::string& path, leveldb::Logger** logger) override;

 private:
  struct Inode {
    std::string data;
    std::string flushed;
    std::set<std::size_t> dropped;  // pages that a failed flush dropped
  };
  using Names = std::map<std::string, std::shared_ptr<Inode>>;
  struct NameChange {
    std::string removed;  // "": none
    std::string set;      // "": none
    std::shared_ptr<Inode> inode;
  };
  class Writer;
  class SequentialReader;
  class RandomReader;
  class Lock;

  // These are called with `mutex_` held.
  leveldb::Status Check() const;
  bool IsFault();
  leveldb::Status Write(Inode& inode, const std::string& bytes);
  leveldb::Status Flush(Inode& inode);
  void DropUnflushed(Inode& inode);
  // The content with the dropped pages as they are on the disk.
  static std::string WithoutDropped(const Inode& inode);
  leveldb::Status FlushNames(const std::string& directory);
  void Change(const NameChange& change);
  static void Apply(const NameChange& change, Names* names);
  std::string TornContent(const Inode& inode);
  std::uint64_t Used() const;

  std::mutex mutex_;  // guards what follows
  Random random_;
  Faults faults_;
  int changes_ = 0;
  int flushes_ = 0;
  int looks_at_room_ = 0;
  bool is_dead_ = false;
  std::uint64_t life_ = 0;  // counts StartAgain; files of an earlier life are dead
  Names names_;
  Names flushed_names_;
  std::vector<NameChange> unflushed_names_;
  std::set<std::string> directories_;
  std::set<std::string> locks_;
};

}  // namespace hashrange::test
