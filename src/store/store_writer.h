// StoreWriter turns changes into batches of LevelDB and writes them: the part of the journal that
// runs on its thread.
//
//   Add ──▶ batches that wait ──▶ Write ──▶ written batches that are not flushed ──▶ flushed
//                                   │ fails                   │
//                                   └──▶ Recover: LevelDB is opened again, and all of these are
//                                        written again, in one batch, and flushed
//
// A batch is on the disk wholly or not at all, and a group of changes is never split between two.
// After a flush that failed, what was written before may be lost although it can still be read;
// therefore a batch is kept until it is flushed. Writing kept batches again must not be seen in
// part, because a batch may be older than what is stored: hence the one batch.
//
// Not thread-safe.
#pragma once

#include <leveldb/write_batch.h>

#include <cstddef>
#include <list>
#include <optional>
#include <string>

#include "base/durability.h"
#include "base/result.h"
#include "store/files/log_ends.h"
#include "store/journal_queue.h"

namespace hashrange {

class DataDirectory;

class StoreWriter {
 public:
  using Position = Durability::Position;

  // `keeps_written`: whether batches are kept until they are flushed; otherwise Flush is never
  // called. `directory` outlives the writer.
  StoreWriter(DataDirectory& directory, bool keeps_written)
      : directory_(directory), keeps_written_(keeps_written) {}

  // Makes batches of the first groups, until about `most_bytes` wait or no group is left, and
  // removes these groups from `*work`. The first batch also states how far the log was flushed
  // (store/files/log_ends.h). If it throws, for want of memory, the groups that are left were not
  // added.
  void Add(QueuedWork* work, std::size_t most_bytes);

  // Writes the batches that wait, and flushes the log at the end if `flushes`.
  // After an error only Add, Recover and the accessors may be called until Recover has succeeded.
  // Errors: InternalServerError with LevelDB's sentence
  Status Write(bool flushes);
  // Opens LevelDB again, and writes and flushes what may be lost.
  // Errors: as Write; it may be called again
  Status Recover();

  // Removes up to `count` entries of a range; nothing that was removed by the calls
  // before is looked at again if they were for the same range. Returns whether there is more.
  Result<bool> RemoveSome(const StoreKeyRange& range, int count);

  Position written() const { return written_; }  // all before it is with the system
  Position flushed() const { return flushed_; }  // all before it is on the disk
  bool has_waiting() const { return !waiting_.empty(); }
  bool has_unflushed() const { return !unflushed_.empty(); }
  // About how many bytes are kept in the batches that wait, and in those that are not flushed.
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  std::size_t unflushed_bytes() const { return unflushed_bytes_; }

 private:
  struct Batch {
    leveldb::WriteBatch changes;
    Position end = 0;
  };

  void AddItem(const JournalItem& change, leveldb::WriteBatch* batch);
  void AddRecord(JournalRecord& change, leveldb::WriteBatch* batch);
  void FirstIsWritten();
  void AllIsFlushed();

  DataDirectory& directory_;
  const bool keeps_written_;
  std::list<Batch> waiting_;
  std::list<Batch> unflushed_;
  std::size_t waiting_bytes_ = 0;
  std::size_t unflushed_bytes_ = 0;
  Position written_ = 0;
  Position flushed_ = 0;
  std::optional<LogPosition> stated_;  // what the batches say of what was flushed before
  std::string removed_up_to_;          // the key that RemoveSome removed last
  std::string key_;                    // for the change that is being added
  std::string value_;
};

}  // namespace hashrange
