// Journal: the log of all changes that are kept in a data directory, and the promise that an
// answer's changes are there (base/durability.h).
//
//   commits ──Append──▶ queue ──▶ the journal's thread ──▶ LevelDB ──▶ safe() ──▶ listeners
//
//   flush       a position is safe       a power cut loses
//   kAlways     when it is flushed       nothing that was safe
//   kInterval   when it is written       at most what was written in the last interval
//   kNever      when it is written       what the system has not flushed yet
//
// What is written stays when the server is killed, in every mode. What a power cut leaves is the
// state after some prefix of all Appends: each is whole or absent, and none is missing before one
// that is there.
//
// When a write or a flush fails, or there is too little room on the disk, the journal refuses
// changes (AdmitChange) until it can write again. It keeps what was appended before, in order, and
// writes that first; positions are not safe meanwhile. Each change of that state is one log line.
//
// Thread-safe, but for the constructor, Start and the destructor.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/durability.h"
#include "base/result.h"
#include "store/data_directory.h"
#include "store/journal_queue.h"
#include "store/store_writer.h"

namespace hashrange {

class Journal : public Durability {
 public:
  enum class Flush { kAlways, kInterval, kNever };

  struct Options {
    Flush flush = Flush::kAlways;
    std::chrono::milliseconds interval{100};  // with kInterval
    // With less room on the disk, changes are refused.
    std::uint64_t reserve_bytes = 64 << 20;
    // With more waiting bytes, WaitForRoom waits; and changes are refused if nothing was written
    // for `stall`, or if kWaitingFactor times as many wait.
    std::size_t max_waiting_bytes = 64 << 20;
    std::chrono::milliseconds stall{5000};
    std::chrono::milliseconds retry{1000};  // between attempts to write again
    // How long after a flush it is recorded beside the log (store/files/log_ends.h).
    std::chrono::milliseconds record{10'000};
    // About how much is written between two looks at the queue.
    std::size_t most_bytes_at_once = 16 << 20;
  };
  static constexpr std::size_t kWaitingFactor = 16;

  // Returns the options with which the directory of a journal that flushes so is opened.
  static DataDirectory::Options DirectoryOptions(Flush flush);

  Journal(std::unique_ptr<DataDirectory> directory, const Options& options);
  ~Journal() override;  // calls Stop

  // Begins to write what is appended, also what was appended before. No DataReader of the directory
  // exists any more.
  void Start();
  // Writes what was appended before the call, flushes it, records how far the logs reach, and ends.
  // Nobody appends any more: AdmitChange refuses from now on. If the disk fails, one more attempt
  // is made. Idempotent. Errors: InternalServerError with a sentence  changes are lost
  Status Stop();

  // Appends the changes of one commit, which a restart finds all or not at all, and returns the
  // position behind them; without changes, appended(). Takes what they refer to. Their order in the
  // log is the order of the calls, so a caller holds the locks that decide the order of its
  // changes. Cannot fail: what may fail fails in AdmitChange. An item that is removed is passed as
  // it was (its hash and key are used). Of several changes of one key, the last one counts. Cost:
  // two or three allocations, which the thread's reserve serves if there is no other memory
  // (base/memory/memory_reserve.h), and a short mutex.
  Position Append(std::span<JournalItem> items, std::span<JournalRecord> records) noexcept {
    return queue_.Append(items, records);
  }
  // Removes everything in a range, in the background, after what was appended before. Nothing is
  // stored in the range any more. What is not removed when the server ends stays: a start must be
  // able to tell that it is to be removed.
  void RemoveRange(const StoreKeyRange& range) noexcept { queue_.AddRemoval(range); }

  // Errors: InternalServerError  the last write has failed, the disk has too little room, the disk
  //                              makes no progress, or the journal ends
  // Cost: three or four loads.
  Status AdmitChange() override;
  Status WaitForRoom() override;

  Position appended() const override { return queue_.appended(); }
  Position safe() const override { return safe_.load(std::memory_order_acquire); }
  Status WaitUntilSafe(Position position) override;
  void AddListener(Listener& listener) override;
  void RemoveListener(Listener& listener) override;

  // Copies the state as of a position at or behind appended() at the call to `directory`, which
  // does not exist or is empty, while commits go on. The copy is a data directory, flushed.
  // Errors: as CopyData (store/data_directory.h); InternalServerError  the disk fails
  Status Backup(const std::string& directory);

  const std::string& path() const { return directory_->path(); }

 private:
  enum class State { kWritable, kFailed, kNoRoom, kEnded };
  using Clock = std::chrono::steady_clock;

  // These run on the journal's thread.
  void Run();
  Clock::time_point NextWork() const;
  bool MustFlush(bool is_last) const;
  Status WriteAll(bool is_last);
  Status RemoveSome();
  bool RecoverFrom(Error error);
  bool WaitForRetry();
  void CheckRoom();
  void RecordFlushed();
  void Publish();
  void SetState(State state);

  std::size_t waiting_bytes() const;

  const Options options_;
  const std::unique_ptr<DataDirectory> directory_;
  JournalQueue queue_;

  // Of the journal's thread.
  StoreWriter writer_;
  QueuedWork work_;
  Clock::time_point first_unflushed_;
  std::optional<Clock::time_point> next_record_;  // of what was flushed
  Position recorded_ = 0;

  std::atomic<State> state_{State::kWritable};
  std::atomic<Position> safe_{0};
  std::atomic<std::size_t> writer_bytes_{0};    // what waits in the writer
  std::atomic<std::int64_t> last_progress_ms_;  // by the steady clock
  std::atomic<bool> is_stopping_{false};

  std::mutex mutex_;  // for waiting only
  std::condition_variable
      progress_;                // safe_, state_, the waiting bytes or is_stopping_ has changed
  std::mutex listeners_mutex_;  // guards what follows
  std::vector<Listener*> listeners_;

  std::mutex stop_mutex_;  // held by Stop
  Status outcome_;         // what Stop returns; written before the thread ends
  std::thread thread_;
};

}  // namespace hashrange
