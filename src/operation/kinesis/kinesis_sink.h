// KinesisSink: the reader of the change log that stands for Kinesis. The changes of a table with an
// active destination (TableSettings::ActiveDestination) become lines of JSON in a file of the
// stream (docs/service/17-global-tables-and-account.md, section B).
//
//   commits ── OnCommit ──▶ changes that wait, in the order of commits ── a thread ──▶
//   DIR/<stream>.jsonl
//
// A commit never waits for the disk. What waits keeps its items in memory, which is counted
// (base/memory/live_memory.h), so that writes are refused when a slow disk lets too much wait and
// memory is bounded. When a file cannot be written, the records for it are lost: this is logged,
// and ProblemOf says so. The folder and the files obey the rules of base/output_folder.h.
//
// Thread-safe, but for its destructor.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/file_path.h"
#include "base/memory/memory_reserve.h"
#include "base/memory/output_buffer.h"
#include "base/output_folder.h"
#include "base/result.h"
#include "base/threads.h"
#include "engine/change_log.h"
#include "operation/kinesis/kinesis_record.h"

namespace hashrange {

class KinesisSink : public ChangeObserver {
 public:
  // Opens the folder, and makes it if it is not there.
  // Errors: ValidationException  the folder cannot be used (base/output_folder.h), or the build has
  //                              no threads
  static Result<std::unique_ptr<KinesisSink>> Open(const fs::path& folder);
  // Writes everything that waits. The engine makes no commit any more.
  ~KinesisSink() override;
  KinesisSink(const KinesisSink&) = delete;
  KinesisSink& operator=(const KinesisSink&) = delete;

  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override;

  // Returns when everything that was committed before the call is written, or is lost.
  void Flush();

  // Returns a sentence about the records for this stream that are lost; empty: none is.
  std::string ProblemOf(std::string_view stream_arn) const;

 private:
  using Changes = std::list<SentChange, ReservedAllocator<SentChange, MemoryPart::kJournal>>;

  // The lines for one file that are going to be written together.
  struct Lines {
    OutputBuffer text;
    std::uint64_t count = 0;
  };
  // The records of one stream that are lost, and why the last of them is.
  struct Loss {
    std::uint64_t records = 0;
    std::string reason;
    bool is_logged = false;  // since the last record that was written
  };

  explicit KinesisSink(OutputFolder folder);

  void Run();
  void Write(Changes& changes);
  // Errors: throws std::bad_alloc, and nothing was added
  static void AddLine(const SentChange& change, Lines& lines);
  // Appends the lines to their file, and clears them.
  void Append(const std::string& stream_arn, Lines& lines);
  Status AppendToFile(const std::string& name, std::string_view text) const;
  void NoteLoss(const std::string& stream_arn, std::uint64_t records, std::string_view reason);

  const OutputFolder folder_;  // used by the thread only
  mutable Mutex mutex_;        // guards what follows
  ConditionVariable wake_;
  ConditionVariable written_all_;
  Changes waiting_;
  std::uint64_t queued_ = 0;   // changes that have ever been queued
  std::uint64_t written_ = 0;  // of these, the changes that are written or lost
  bool is_stopping_ = false;
  std::map<std::string, Loss, std::less<>> losses_;  // by the stream's ARN
  Thread thread_;
};

}  // namespace hashrange
