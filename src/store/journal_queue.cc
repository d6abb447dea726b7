#include "store/journal_queue.h"

#include <iterator>
#include <utility>

namespace hashrange {
namespace {

// Returns about how many bytes a change keeps in memory while it waits.
std::size_t KeptBytes(const JournalItem& change) {
  return sizeof change + change.item->memory_bytes();
}
std::size_t KeptBytes(const JournalRecord& change) { return sizeof change + change.kept_bytes; }

}  // namespace

Durability::Position JournalQueue::Append(std::span<JournalItem> items,
                                          std::span<JournalRecord> records) noexcept {
  if (items.empty() && records.empty()) return appended();
  QueuedWork::List<JournalGroup> made(1);
  JournalGroup& group = made.front();
  group.size_bytes = sizeof group;
  for (const JournalItem& change : items) group.size_bytes += KeptBytes(change);
  for (const JournalRecord& change : records) group.size_bytes += KeptBytes(change);
  group.items.assign(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  group.records.assign(std::make_move_iterator(records.begin()),
                       std::make_move_iterator(records.end()));
  bool must_wake = false;
  Durability::Position position = 0;
  {
    const std::lock_guard lock(mutex_);
    position = appended_.load(std::memory_order_relaxed) + 1;
    group.position = position;
    work_.groups.splice(work_.groups.end(), made);
    work_.size_bytes += group.size_bytes;
    size_bytes_.store(work_.size_bytes, std::memory_order_relaxed);
    appended_.store(position, std::memory_order_release);
    must_wake = std::exchange(is_waiting_, false);
  }
  if (must_wake) wake_.notify_one();
  return position;
}

void JournalQueue::AddRemoval(const StoreKeyRange& range) noexcept {
  QueuedWork::List<StoreKeyRange> made(1, range);
  {
    const std::lock_guard lock(mutex_);
    work_.removals.splice(work_.removals.end(), made);
  }
  wake_.notify_one();
}

void JournalQueue::Wake() {
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
  }
  wake_.notify_one();
}

void JournalQueue::WaitUntil(Time time) {
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return is_woken_ || !work_.empty(); };
  if (!has_work()) {
    is_waiting_ = true;
    wake_.wait_until(lock, time, has_work);
  }
  is_waiting_ = false;
  is_woken_ = false;
}

void JournalQueue::MoveTo(QueuedWork* work) {
  const std::lock_guard lock(mutex_);
  work->groups.splice(work->groups.end(), work_.groups);
  work->removals.splice(work->removals.end(), work_.removals);
  work->size_bytes += std::exchange(work_.size_bytes, 0);
  size_bytes_.store(0, std::memory_order_relaxed);
}

}  // namespace hashrange
