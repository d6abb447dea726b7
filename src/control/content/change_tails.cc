#include "control/content/change_tails.h"

#include <algorithm>
#include <utility>

#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

// Returns the table with that tail, both as it is and as it becomes when its phase has ended.
std::unique_ptr<TableVersion> WithTail(const TableVersion& table,
                                       const std::shared_ptr<ChangeTail>& tail) {
  auto next = std::make_unique<TableVersion>(table);
  EditWithNextPhase(next.get(), [&tail](TableVersion* each) { each->settings.tail = tail; });
  return next;
}

std::size_t BytesOf(const ItemRef& item) { return item ? item->memory_bytes() : 0; }

}  // namespace

bool ChangeTails::Enable(Catalog& catalog, AccountName account, std::string_view table,
                         std::optional<std::size_t> limit) {
  for (;;) {
    const TableRef current = catalog.Find(account, table);
    if (!current) return false;
    const std::shared_ptr<ChangeTail> existing = current->settings.tail;
    const auto tail = existing ? existing : std::make_shared<ChangeTail>(*this);
    if (limit) {
      Entries dropped;
      MutexLock lock(mutex_);
      tail->limit_ = *limit;
      Trim(*tail, &dropped);
    }
    if (existing || catalog.Publish(current, WithTail(*current, tail))) return true;
  }
}

bool ChangeTails::Disable(Catalog& catalog, AccountName account, std::string_view table) {
  for (;;) {
    const TableRef current = catalog.Find(account, table);
    if (!current) return false;
    if (!current->settings.tail) return true;
    if (!catalog.Publish(current, WithTail(*current, nullptr))) continue;
    // Requests that are under way may hold the earlier version, and the tail with it.
    Forget(*current->settings.tail);
    return true;
  }
}

ChangeTails::State ChangeTails::StateOf(const ChangeTail& tail) {
  return {true, tail.limit_, tail.last_id_, tail.last_id_ - tail.size_};
}

ChangeTails::State ChangeTails::StateOf(const TableVersion& table) const {
  MutexLock lock(mutex_);
  return table.settings.tail ? StateOf(*table.settings.tail) : State{};
}

ChangeTails::Page ChangeTails::Find(const TableVersion& table, std::uint64_t since) const {
  Page page;
  const ChangeTail* const tail = table.settings.tail.get();
  if (!tail) return page;
  MutexLock lock(mutex_);
  page.state = StateOf(*tail);
  page.missed = page.state.forgotten - std::min(since, page.state.forgotten);
  Entries::iterator at = tail->first_;
  for (std::size_t i = 0; i < tail->size_; ++i) {
    if (i > 0) at = at->next;
    if (at->change.id > since) page.changes.push_back(at->change);
  }
  return page;
}

void ChangeTails::OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept {
  for (const Change& change : changes) {
    ChangeTail* const tail = change.table->settings.tail.get();
    if (!tail || change.is_none()) continue;
    Entries one, dropped;  // are freed after the lock is released
    one.push_back({{0, change.before, change.after, change.epoch_ms, change.origin},
                   tail,
                   sizeof(Entry) + BytesOf(change.before) + BytesOf(change.after)});
    MutexLock lock(mutex_);
    Add(one);
    Trim(*tail, &dropped);
  }
}

void ChangeTails::Add(Entries& one) {
  const Entries::iterator added = one.begin();
  ChangeTail& tail = *added->tail;
  added->change.id = ++tail.last_id_;
  entries_.splice(entries_.end(), one);
  bytes_ += added->bytes;
  if (tail.size_ == 0) {
    tail.first_ = added;
  } else {
    tail.last_->next = added;
  }
  tail.last_ = added;
  ++tail.size_;
}

void ChangeTails::DropOldest(ChangeTail& tail, Entries* dropped) {
  const Entries::iterator oldest = tail.first_;
  bytes_ -= oldest->bytes;
  tail.first_ = oldest->next;
  --tail.size_;
  dropped->splice(dropped->end(), entries_, oldest);
}

void ChangeTails::Trim(ChangeTail& tail, Entries* dropped) {
  while (tail.size_ > tail.limit_) DropOldest(tail, dropped);
  // The oldest change of all tables is also the oldest of its own.
  while (bytes_ > max_bytes_) DropOldest(*entries_.front().tail, dropped);
}

void ChangeTails::Forget(ChangeTail& tail) {
  Entries dropped;
  MutexLock lock(mutex_);
  while (tail.size_ > 0) DropOldest(tail, &dropped);
}

}  // namespace hashrange
