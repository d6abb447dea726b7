// StreamSet: the streams of every account, including the streams of deleted tables as long as they
// can be read. It is also the reader of the engine's log that fills the streams. Thread-safe.
//
// A commit takes no lock of the set: it finds the stream in the version of its table.
// Streams that were closed 24 hours ago are dropped whenever a stream is made or streams are
// listed. The cost of a call for one account does not grow with the streams of other accounts,
// except for the search in the ordered set of all closed streams.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/threads.h"
#include "engine/account_name.h"
#include "engine/catalog.h"
#include "engine/change_log.h"
#include "engine/stream/record_reclaimer.h"
#include "engine/stream/stream.h"

namespace hashrange {

struct StoredStream;   // engine/stream/stored_stream.h
class StreamObserver;  // engine/stream/stream_observer.h

using StreamRef = std::shared_ptr<Stream>;

class StreamSet : public ChangeObserver {
 public:
  StreamSet(const Clock& clock, const StreamOptions& options) : clock_(clock), options_(options) {}

  // Makes a stream of the account, with an id of its own, and returns it. Its creation time is now,
  // or the time in its definition. If a stream of the same table, existing or forgotten, has the
  // label of that time, the creation time is the next millisecond whose label is unused.
  StreamRef Open(AccountName account, StreamDefinition definition);

  // Forgets a stream whose table was not created after all. Needs no memory.
  void Abandon(AccountName account, const Stream& stream);

  // Closes a stream of the account (Stream::Close), when its table is deleted or replaced, or the
  // stream is switched off.
  void Close(AccountName account, Stream& stream, std::int64_t now_ms,
             std::int64_t disabled_epoch_ms);

  // Forgets the closed streams of the tables of the scope. The streams are added to `*forgotten`;
  // their records are freed when the caller releases the streams.
  void ForgetClosed(const Scope& scope, std::vector<StreamRef>* forgotten);

  // Returns the stream of that ARN, or null.
  StreamRef Find(AccountName account, std::string_view arn);

  // Which streams to list. `table` and `after` may be absent.
  struct Selection {
    std::optional<std::string_view> table = {};
    std::optional<std::string_view> after = {};  // an ARN, which need not exist
    std::size_t limit = 0;
  };
  // Returns the selected streams after `after`, ascending by ARN. Sets `*more` to whether others
  // follow.
  std::vector<StreamRef> List(AccountName account, const Selection& selection, bool* more);

  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override;

  // The functions below are for a server that keeps its data. At its start, one thread restores the
  // streams and adds their records (Shard::AddStored), attaches each stored table to its stream,
  // sets the observer, and closes the streams whose table was lost.
  //
  // Makes a stream that was stored, without its records.
  // Errors: InternalServerError  there is another stream with its id or its ARN
  Result<StreamRef> Restore(const StoredStream& stored);
  // Gives ids from `next` on to new streams, or from the next id on if that is greater.
  void ReserveIds(std::uint64_t next);
  // Gives a table that is not published yet, and what it becomes, the restored streams whose ids
  // its specifications have. The stream of a table that is DELETING was closed when the deletion
  // began: it may have been forgotten since then, and the table then has none.
  // Errors: InternalServerError  there is no such stream, and the table is not DELETING
  Status Attach(TableVersion* version);
  // The observer outlives the set's last call and the last commit. Call it once, before the first
  // commit.
  void SetObserver(StreamObserver& observer);
  // Closes the restored streams that are open and were not attached to a table, or only to one that
  // is DELETING.
  void CloseUnused(std::int64_t now_ms);

 private:
  using Account = std::map<std::string, StreamRef, std::less<>>;  // by ARN
  static AccountKey MakeAccountKey(AccountName account);

  // A closed stream of any account. Ordered by the time when it was closed, the oldest first.
  struct ClosedStream {
    std::int64_t closed_epoch_ms;
    const Stream* stream;
    friend auto operator<=>(const ClosedStream&, const ClosedStream&) = default;
  };

  // The functions below are called with the lock held.
  //
  void Add(const StreamRef& stream);
  void ListenToTags(Stream& stream);
  // Returns the observer of a durable stream; null: nobody is told of the stream.
  StreamObserver* ObserverOf(const Stream& stream) const {
    return stream.definition().is_durable ? observer_ : nullptr;
  }
  // Returns `now_ms`, or the millisecond behind the newest label of a forgotten stream of the table
  // when that is later. A label that is more than kMostAheadMs ahead is ignored.
  std::int64_t FirstLabelEpochMs(const std::string& table_arn, std::int64_t now_ms) const;
  void RememberLabel(const StreamDefinition& definition);
  // Removes the streams that are gone (Stream::IsGoneAt) and returns them; the caller releases them
  // without the lock.
  std::vector<StreamRef> RemoveGoneStreams();
  // Removes a stream from its account, and the account when it has no other stream. Returns the
  // stream.
  StreamRef Remove(const AccountKey& key, const Stream& stream);
  void ForgetClosedOf(Account& streams, const Scope& scope, std::vector<StreamRef>* forgotten);
  Account* FindAccount(AccountName account);

  const Clock& clock_;
  const StreamOptions options_;
  StreamObserver* observer_ = nullptr;                    // set before the first commit
  RecordReclaimer reclaimer_;                             // outlives the streams
  Mutex mutex_;                                           // guards what follows
  std::map<AccountKey, Account, AccountOrder> accounts_;  // no account is empty
  std::map<ClosedStream, AccountKey> closed_;
  std::uint64_t next_id_ = 1;
  // The restored streams, by id, until CloseUnused; `second`: whether a table is attached.
  std::map<std::uint64_t, std::pair<StreamRef, bool>> restored_;
  // By the ARN of a table: when the newest of its forgotten streams was made. Times in the past are
  // not needed any more; they are dropped when the map has reached `forgotten_limit_` entries.
  std::map<std::string, std::int64_t, std::less<>> forgotten_epoch_ms_;
  std::size_t forgotten_limit_ = kFewLabels;
  static constexpr std::size_t kFewLabels = 64;
};

}  // namespace hashrange
