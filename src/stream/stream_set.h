// StreamSet: the streams of every account, those of deleted tables too as long as they can
// be read; and the reader of the engine's log that fills them. Thread-safe.
//
// A commit takes no lock of the set: it finds its stream in the version of the table.
// Streams that are gone are let go whenever one is made or streams are listed. What is done for
// one account costs no more when others have many streams, but for a step of a search among all
// those that are closed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog.h"
#include "engine/change_log.h"
#include "stream/record_reclaimer.h"
#include "stream/stream.h"

namespace hashrange {

using StreamRef = std::shared_ptr<Stream>;

class StreamSet : public ChangeObserver {
 public:
  StreamSet(const Clock& clock, const StreamOptions& options) : clock_(clock), options_(options) {}

  // Makes a stream of the account. It is as old as the first millisecond from now on, or from the
  // time on that its definition names, that no other stream of its table has, or that is forgotten
  // had, in its label.
  StreamRef Open(AccountName account, StreamDefinition definition);

  // Forgets a stream whose table did not come to be.
  void Abandon(AccountName account, const Stream& stream);

  // Closes a stream of the account (Stream::Close): of a table that is deleted or replaced, or
  // whose stream is switched off.
  void Close(AccountName account, Stream& stream, std::int64_t now_ms,
             std::int64_t disabled_epoch_ms);

  // Forgets the closed streams of the tables of the scope. They are added to `*forgotten`: what
  // they have recorded is freed when that is.
  void ForgetClosed(const Scope& scope, std::vector<StreamRef>* forgotten);

  // The stream of that ARN, or null.
  StreamRef Find(AccountName account, std::string_view arn);

  // Which streams to list: `table` and `after` may be absent.
  struct Selection {
    std::optional<std::string_view> table = {};
    std::optional<std::string_view> after = {};  // an ARN, which need not exist
    std::size_t limit = 0;
  };
  // Ascending by ARN, those strictly after `after`; `*more` says whether others follow.
  std::vector<StreamRef> List(AccountName account, const Selection& selection, bool* more);

  void OnCommit(std::span<const Change> changes) noexcept override;

 private:
  using Account = std::map<std::string, StreamRef, std::less<>>;  // by ARN
  struct AccountKey {
    std::string account_id;
    std::string region;
    friend auto operator<=>(const AccountKey&, const AccountKey&) = default;
  };
  static AccountKey KeyOf(AccountName account);

  // When a closed stream was closed, and which: those of all accounts, the oldest first.
  struct ClosedStream {
    std::int64_t closed_epoch_ms;
    const Stream* stream;
    friend auto operator<=>(const ClosedStream&, const ClosedStream&) = default;
  };

  // All of these with the lock held.
  //
  // The first millisecond from `now_ms` on that may be a label.
  std::int64_t FirstLabel(const std::string& table_arn, std::int64_t now_ms) const;
  void RememberLabel(const StreamDefinition& definition);
  // The streams that are gone by now, to be let go without the lock.
  std::vector<StreamRef> TakeGone();
  // Takes a stream out of its account, and the account out when it was the last.
  StreamRef Take(const AccountKey& key, const Stream& stream);
  void ForgetClosedOf(Account& streams, const Scope& scope, std::vector<StreamRef>* forgotten);
  Account* FindAccount(AccountName account);

  const Clock& clock_;
  const StreamOptions options_;
  RecordReclaimer reclaimer_;               // outlives the streams
  std::mutex mutex_;                        // guards what follows
  std::map<AccountKey, Account> accounts_;  // none is empty
  std::map<ClosedStream, AccountKey> closed_;
  // By the ARN of a table: the newest of its streams that were forgotten was made then. What is
  // past is dropped when there are `labels_dropped_at_` of them.
  std::map<std::string, std::int64_t, std::less<>> forgotten_epoch_ms_;
  std::size_t labels_dropped_at_ = kFewLabels;
  static constexpr std::size_t kFewLabels = 64;
};

}  // namespace hashrange
