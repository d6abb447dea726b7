// StreamSet: the streams of every account, those of deleted tables too as long as they can
// be read; and the reader of the engine's log that fills them. Thread-safe.
//
// A commit takes no lock of the set: it finds its stream in the version of the table.
// Streams that are gone are let go whenever one is made or streams are listed.
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

  // Forgets the streams of that table that are closed. They are added to `*forgotten`: what they
  // have recorded goes when that does.
  void ForgetClosed(AccountName account, std::string_view table_arn,
                    std::vector<StreamRef>* forgotten);

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

  // With the lock held. The first millisecond from `now_ms` on that may be a label.
  std::int64_t FirstLabel(const std::string& table_arn, std::int64_t now_ms) const;
  // With the lock held. Those that are gone by now, to be let go without it.
  std::vector<StreamRef> TakeGone();
  Account* FindAccount(AccountName account);

  const Clock& clock_;
  const StreamOptions options_;
  RecordReclaimer reclaimer_;  // outlives the streams
  std::mutex mutex_;           // guards what follows
  std::map<AccountKey, Account> accounts_;
  // By the ARN of a table: the newest of its streams that were forgotten was made then.
  std::map<std::string, std::int64_t, std::less<>> forgotten_epoch_ms_;
};

}  // namespace hashrange
