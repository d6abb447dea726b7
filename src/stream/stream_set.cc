#include "stream/stream_set.h"

#include <iterator>
#include <utility>

namespace hashrange {
namespace {

// Streams of one table that are made in one millisecond have labels of those to come; but not
// where a clock was set back.
constexpr std::int64_t kMostAheadMs = 60'000;

}  // namespace

StreamRef StreamSet::Open(AccountName account, StreamDefinition definition) {
  std::vector<StreamRef> gone;  // let go when nothing is locked
  std::lock_guard lock(mutex_);
  gone = TakeGone();
  Account& streams = accounts_[{std::string(account.account_id), std::string(account.region)}];
  std::int64_t& creation_ms = definition.creation_epoch_ms;
  if (creation_ms == 0) creation_ms = clock_.NowEpochMs();
  creation_ms = FirstLabel(definition.table_arn, creation_ms);
  while (streams.contains(definition.table_arn + "/stream/" + StreamLabel(creation_ms))) {
    ++creation_ms;
  }
  auto stream = std::make_shared<Stream>(std::move(definition), options_, reclaimer_);
  streams.emplace(stream->arn(), stream);
  return stream;
}

std::int64_t StreamSet::FirstLabel(const std::string& table_arn, std::int64_t now_ms) const {
  const auto found = forgotten_epoch_ms_.find(table_arn);
  if (found == forgotten_epoch_ms_.end()) return now_ms;
  const std::int64_t ahead_ms = found->second + 1 - now_ms;
  return ahead_ms > 0 && ahead_ms <= kMostAheadMs ? now_ms + ahead_ms : now_ms;
}

void StreamSet::Abandon(AccountName account, const Stream& stream) {
  StreamRef abandoned;
  std::lock_guard lock(mutex_);
  Account* const streams = FindAccount(account);
  if (!streams) return;
  const auto found = streams->find(stream.arn());
  if (found == streams->end() || found->second.get() != &stream) return;
  abandoned = std::move(found->second);
  streams->erase(found);
}

void StreamSet::ForgetClosed(AccountName account, std::string_view table_arn,
                             std::vector<StreamRef>* forgotten) {
  const std::string prefix = std::string(table_arn) + "/stream/";
  std::lock_guard lock(mutex_);
  Account* const streams = FindAccount(account);
  if (!streams) return;
  auto next = streams->lower_bound(prefix);
  while (next != streams->end() && next->first.starts_with(prefix)) {
    if (!next->second->is_closed()) {
      ++next;
      continue;
    }
    const std::int64_t made_ms = next->second->definition().creation_epoch_ms;
    std::int64_t& newest_ms = forgotten_epoch_ms_[std::string(table_arn)];
    if (newest_ms < made_ms || newest_ms > made_ms + kMostAheadMs) newest_ms = made_ms;
    forgotten->push_back(std::move(next->second));
    next = streams->erase(next);
  }
}

StreamRef StreamSet::Find(AccountName account, std::string_view arn) {
  const std::int64_t now_ms = clock_.NowEpochMs();
  std::lock_guard lock(mutex_);
  Account* const streams = FindAccount(account);
  if (!streams) return nullptr;
  const auto found = streams->find(arn);
  if (found == streams->end() || found->second->IsGoneAt(now_ms)) return nullptr;
  return found->second;
}

std::vector<StreamRef> StreamSet::List(AccountName account, const Selection& selection,
                                       bool* more) {
  *more = false;
  std::vector<StreamRef> gone;  // let go when nothing is locked
  std::vector<StreamRef> listed;
  std::lock_guard lock(mutex_);
  gone = TakeGone();
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

void StreamSet::OnCommit(std::span<const Change> changes) noexcept {
  for (const Change& change : changes) {
    const auto& specification = change.table->settings.stream;
    if (specification && specification->storage) specification->storage->Append(change);
  }
}

std::vector<StreamRef> StreamSet::TakeGone() {
  const std::int64_t now_ms = clock_.NowEpochMs();
  std::erase_if(forgotten_epoch_ms_, [now_ms](const auto& entry) {
    return entry.second < now_ms || entry.second > now_ms + kMostAheadMs;
  });
  std::vector<StreamRef> gone;
  for (auto account = accounts_.begin(); account != accounts_.end();) {
    Account& streams = account->second;
    for (auto stream = streams.begin(); stream != streams.end();) {
      if (!stream->second->IsGoneAt(now_ms)) {
        ++stream;
        continue;
      }
      gone.push_back(std::move(stream->second));
      stream = streams.erase(stream);
    }
    account = streams.empty() ? accounts_.erase(account) : std::next(account);
  }
  return gone;
}

StreamSet::Account* StreamSet::FindAccount(AccountName account) {
  const auto found = accounts_.find({std::string(account.account_id), std::string(account.region)});
  return found == accounts_.end() ? nullptr : &found->second;
}

}  // namespace hashrange
