#include "engine/stream/stream_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/memory/memory_reserve.h"
#include "engine/stream/stored_stream.h"
#include "engine/stream/stream_observer.h"
#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

// If several streams of one table are made in one millisecond, the labels of the later ones are of
// the following milliseconds. A label that is further ahead than this comes from a clock that was
// set back, and is ignored.
constexpr std::int64_t kMostAheadMs = 60'000;

}  // namespace

AccountKey StreamSet::MakeAccountKey(AccountName account) {
  return {std::string(account.account_id), std::string(account.region)};
}

StreamRef StreamSet::Open(AccountName account, StreamDefinition definition) {
  std::vector<StreamRef> gone;  // released when nothing is locked
  MutexLock lock(mutex_);
  gone = RemoveGoneStreams();
  definition.id = next_id_++;
  definition.account_id = account.account_id;
  definition.account_region = account.region;
  const Account& streams = accounts_[MakeAccountKey(account)];
  std::int64_t& creation_ms = definition.creation_epoch_ms;
  if (creation_ms == 0) creation_ms = clock_.NowEpochMs();
  creation_ms = FirstLabelEpochMs(definition.table_arn, creation_ms);
  while (streams.contains(definition.table_arn + "/stream/" + StreamLabel(creation_ms))) {
    ++creation_ms;
  }
  auto stream = std::allocate_shared<Stream>(ReservedAllocator<Stream, MemoryPart::kTables>(),
                                             std::move(definition), options_, reclaimer_);
  Add(stream);
  if (StreamObserver* const observer = ObserverOf(*stream)) {
    ListenToTags(*stream);
    observer->OnOpen(*stream);
  }
  return stream;
}

void StreamSet::Add(const StreamRef& stream) {
  const StreamDefinition& definition = stream->definition();
  accounts_[{definition.account_id, definition.account_region}].emplace(stream->arn(), stream);
}

void StreamSet::ListenToTags(Stream& stream) {
  stream.tags().SetListener(
      [told = observer_, &stream](std::span<const Tag> tags) { told->OnTags(stream, tags); });
}

std::int64_t StreamSet::FirstLabelEpochMs(const std::string& table_arn, std::int64_t now_ms) const {
  const auto found = forgotten_epoch_ms_.find(table_arn);
  if (found == forgotten_epoch_ms_.end()) return now_ms;
  const std::int64_t ahead_ms = found->second + 1 - now_ms;
  return ahead_ms > 0 && ahead_ms <= kMostAheadMs ? now_ms + ahead_ms : now_ms;
}

void StreamSet::Abandon(AccountName account, const Stream& stream) {
  StreamRef abandoned;
  MutexLock lock(mutex_);
  const auto its_account = accounts_.find(account);
  if (its_account == accounts_.end()) return;
  const auto found = its_account->second.find(stream.arn());
  if (found == its_account->second.end() || found->second.get() != &stream) return;
  abandoned = Remove(its_account->first, stream);
}

void StreamSet::Close(AccountName account, Stream& stream, std::int64_t now_ms,
                      std::int64_t disabled_epoch_ms) {
  MutexLock lock(mutex_);
  decltype(closed_) added;  // made first, as memory may be missing
  added.emplace(ClosedStream{now_ms, &stream}, MakeAccountKey(account));
  if (!stream.Close(now_ms, disabled_epoch_ms)) return;
  closed_.merge(added);
  if (StreamObserver* const observer = ObserverOf(stream)) observer->OnClose(stream);
}

void StreamSet::ForgetClosed(const Scope& scope, std::vector<StreamRef>* forgotten) {
  MutexLock lock(mutex_);
  const AccountKey first{std::string(scope.account_id.value_or("")),
                         std::string(scope.account_id ? scope.region.value_or("") : "")};
  for (auto next = accounts_.lower_bound(first); next != accounts_.end();) {
    const AccountKey& key = next->first;
    if (scope.account_id && key.account_id != *scope.account_id) return;
    if (!scope.region || key.region == *scope.region) {
      ForgetClosedOf(next->second, scope, forgotten);
    }
    next = next->second.empty() ? accounts_.erase(next) : std::next(next);
  }
}

void StreamSet::ForgetClosedOf(Account& streams, const Scope& scope,
                               std::vector<StreamRef>* forgotten) {
  std::erase_if(streams, [&](const auto& entry) {
    const StreamRef& stream = entry.second;
    const StreamDefinition& definition = stream->definition();
    if (!stream->is_closed()) return false;
    if (scope.table && definition.table_name != *scope.table) return false;
    RememberLabel(definition);  // first what may fail, for want of memory
    forgotten->push_back(stream);
    closed_.erase({stream->closed_epoch_ms(), stream.get()});
    if (StreamObserver* const observer = ObserverOf(*stream)) observer->OnForget(*stream);
    return true;
  });
}

void StreamSet::RememberLabel(const StreamDefinition& definition) {
  const std::int64_t made_ms = definition.creation_epoch_ms;
  std::int64_t& newest_ms = forgotten_epoch_ms_[definition.table_arn];
  if (newest_ms < made_ms || newest_ms > made_ms + kMostAheadMs) newest_ms = made_ms;
  if (forgotten_epoch_ms_.size() < forgotten_limit_) return;
  const std::int64_t now_ms = clock_.NowEpochMs();
  std::erase_if(forgotten_epoch_ms_, [now_ms](const auto& entry) {
    return entry.second < now_ms || entry.second > now_ms + kMostAheadMs;
  });
  forgotten_limit_ = std::max(kFewLabels, 2 * forgotten_epoch_ms_.size());
}

StreamRef StreamSet::Find(AccountName account, std::string_view arn) {
  const std::int64_t now_ms = clock_.NowEpochMs();
  MutexLock lock(mutex_);
  Account* const streams = FindAccount(account);
  if (!streams) return nullptr;
  const auto found = streams->find(arn);
  if (found == streams->end() || found->second->IsGoneAt(now_ms)) return nullptr;
  return found->second;
}

std::vector<StreamRef> StreamSet::List(AccountName account, const Selection& selection,
                                       bool* more) {
  *more = false;
  std::vector<StreamRef> gone;  // released when nothing is locked
  std::vector<StreamRef> listed;
  MutexLock lock(mutex_);
  gone = RemoveGoneStreams();
  Account* const streams = FindAccount(account);
  if (!streams) return listed;
  auto next = selection.after ? streams->upper_bound(*selection.after) : streams->begin();
  for (; next != streams->end(); ++next) {
    if (selection.table && next->second->definition().table_name != *selection.table) continue;
    if (listed.size() == selection.limit) {
      *more = true;
      break;
    }
    listed.push_back(next->second);
  }
  return listed;
}

void StreamSet::OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept {
  for (const Change& change : changes) {
    if (change.is_none()) continue;
    const auto& specification = change.table->settings.stream;
    if (specification && specification->storage) specification->storage->Append(change, observer_);
  }
}

// If the clock was set back, a stream that was closed in what is now the future stays until 24
// hours after that time.
std::vector<StreamRef> StreamSet::RemoveGoneStreams() {
  const std::int64_t now_ms = clock_.NowEpochMs();
  std::vector<StreamRef> gone;
  while (!closed_.empty() && closed_.begin()->first.stream->IsGoneAt(now_ms)) {
    const AccountKey key = closed_.begin()->second;
    gone.push_back(Remove(key, *closed_.begin()->first.stream));
  }
  return gone;
}

StreamRef StreamSet::Remove(const AccountKey& key, const Stream& stream) {
  closed_.erase({stream.closed_epoch_ms(), &stream});
  const auto account = accounts_.find(key);
  const auto found = account->second.find(stream.arn());
  StreamRef removed = std::move(found->second);
  account->second.erase(found);
  if (account->second.empty()) accounts_.erase(account);
  if (StreamObserver* const observer = ObserverOf(*removed)) observer->OnForget(*removed);
  return removed;
}

Result<StreamRef> StreamSet::Restore(const StoredStream& stored) {
  auto stream = std::allocate_shared<Stream>(ReservedAllocator<Stream, MemoryPart::kTables>(),
                                             stored.definition, stored.event_seeds,
                                             stored.first_numbers, options_, reclaimer_);
  const StreamDefinition& definition = stored.definition;
  AccountKey key{definition.account_id, definition.account_region};
  MutexLock lock(mutex_);
  if (accounts_[key].contains(stream->arn()) || restored_.contains(definition.id)) {
    return InternalError("the stream " + stream->arn() + " is stored twice");
  }
  next_id_ = std::max(next_id_, definition.id + 1);
  Add(stream);
  restored_.emplace(definition.id, std::pair(stream, false));
  if (const auto& closing = stored.closing) {
    stream->Close(closing->closed_epoch_ms, closing->disabled_epoch_ms);
    closed_.emplace(ClosedStream{closing->closed_epoch_ms, stream.get()}, std::move(key));
  }
  return stream;
}

void StreamSet::ReserveIds(std::uint64_t next) {
  MutexLock lock(mutex_);
  next_id_ = std::max(next_id_, next);
}

Status StreamSet::Attach(TableVersion* version) {
  Status status;
  MutexLock lock(mutex_);
  EditWithNextPhase(version, [&](TableVersion* each) {
    auto& specification = each->settings.stream;
    if (!specification || specification->id == 0) return;
    const bool is_deleting = each->status() == ResourceStatus::kDeleting;
    const auto found = restored_.find(specification->id);
    if (found == restored_.end() && is_deleting) {
      specification->id = 0;
      return;
    }
    if (found == restored_.end()) {
      status = InternalError("the stream of the table " + each->name + " is not stored");
      return;
    }
    specification->storage = found->second.first;
    if (!is_deleting) found->second.second = true;
  });
  return status;
}

void StreamSet::SetObserver(StreamObserver& observer) {
  MutexLock lock(mutex_);
  observer_ = &observer;
  for (const auto& [id, restored] : restored_) ListenToTags(*restored.first);
}

void StreamSet::CloseUnused(std::int64_t now_ms) {
  std::map<std::uint64_t, std::pair<StreamRef, bool>> restored;
  {
    MutexLock lock(mutex_);
    restored = std::exchange(restored_, {});
  }
  for (const auto& [id, stream] : restored) {
    if (stream.second) continue;
    const StreamDefinition& definition = stream.first->definition();
    Close({definition.account_id, definition.account_region}, *stream.first, now_ms, now_ms);
  }
}

StreamSet::Account* StreamSet::FindAccount(AccountName account) {
  const auto found = accounts_.find(account);
  return found == accounts_.end() ? nullptr : &found->second;
}

}  // namespace hashrange
