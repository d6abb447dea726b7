#include "simulation/request_list.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

// Returns about how much memory a record takes, as if all its strings were allocated separately.
std::size_t BytesOf(const RequestRecord& record) {
  std::size_t bytes = sizeof(record) + record.operation.size() + record.account_id.size() +
                      record.region.size() + record.message.size();
  for (const RequestAccess& access : record.accesses) {
    bytes += sizeof(access) + access.table.size() + access.index.size();
    for (const auto& index : access.index_units) bytes += sizeof(index) + index.index.size();
  }
  return bytes;
}

// An empty `wanted` matches any text.
bool MatchesWanted(std::string_view wanted, std::string_view text) {
  return wanted.empty() || wanted == text;
}

}  // namespace

bool RequestFilter::Matches(const RequestRecord& record) const {
  if (record.id <= since || !MatchesWanted(account_id, record.account_id) ||
      !MatchesWanted(region, record.region) || !MatchesWanted(operation, record.operation)) {
    return false;
  }
  return table.empty() || std::ranges::any_of(record.accesses, [&](const RequestAccess& access) {
           return access.table == table;
         });
}

void RequestList::SetLimit(std::size_t limit) {
  std::vector<Record> forgotten;
  std::lock_guard lock(mutex_);
  state_.limit = limit;
  Trim(&forgotten);
}

void RequestList::Add(RequestRecord record) {
  std::vector<Record> forgotten;  // is freed after the lock is released
  auto shared = std::make_shared<RequestRecord>(std::move(record));
  const std::size_t bytes = BytesOf(*shared);
  std::lock_guard lock(mutex_);
  shared->id = ++state_.last_id;
  records_.push_back(std::move(shared));
  bytes_ += bytes;
  Trim(&forgotten);
}

void RequestList::Trim(std::vector<Record>* forgotten) {
  while (!records_.empty() && (records_.size() > state_.limit || bytes_ > kMaxBytes)) {
    bytes_ -= BytesOf(*records_.front());
    forgotten->push_back(std::move(records_.front()));
    records_.pop_front();
    ++state_.forgotten;
  }
}

std::size_t RequestList::Remove(const RequestFilter& filter) {
  std::vector<Record> removed;
  std::lock_guard lock(mutex_);
  const auto kept =
      std::stable_partition(records_.begin(), records_.end(),
                            [&](const Record& record) { return !filter.Matches(*record); });
  removed.assign(std::make_move_iterator(kept), std::make_move_iterator(records_.end()));
  records_.erase(kept, records_.end());
  for (const Record& record : removed) bytes_ -= BytesOf(*record);
  return removed.size();
}

std::vector<std::shared_ptr<const RequestRecord>> RequestList::Find(
    const RequestFilter& filter) const {
  std::vector<Record> found;
  std::lock_guard lock(mutex_);
  for (const Record& record : records_) {
    if (filter.Matches(*record)) found.push_back(record);
  }
  return found;
}

RequestList::State RequestList::state() const {
  std::lock_guard lock(mutex_);
  State state = state_;
  state.size = records_.size();
  return state;
}

}  // namespace hashrange
