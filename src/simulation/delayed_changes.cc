#include "simulation/delayed_changes.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hashrange {
namespace {

std::size_t SizeOf(const DelayedChanges::Waiting& change) {
  return (change.before ? change.before->size_bytes() : 0) +
         (change.after ? change.after->size_bytes() : 0);
}

}  // namespace

void DelayedChanges::Add(const Change& change, std::int64_t now_ms) {
  Waiting waiting{0, next_number_++, change.before, change.after};
  Collection& collection = collections_[waiting.item().hash()];
  waiting.due_ms = std::max(QueueTimeAt(now_ms) + DrawDelay(), collection.last_due_ms);
  collection.last_due_ms = waiting.due_ms;
  ++collection.waiting;
  size_bytes_ += SizeOf(waiting);
  heap_.push_back(std::move(waiting));
  std::push_heap(heap_.begin(), heap_.end(), IsAfter);
}

std::optional<DelayedChanges::Waiting> DelayedChanges::TakeDue(std::int64_t now_ms) {
  const std::int64_t time_ms = QueueTimeAt(now_ms);
  if (heap_.empty() || heap_.front().due_ms > time_ms) return std::nullopt;
  return TakeNext();
}

DelayedChanges::Waiting DelayedChanges::TakeNext() {
  std::pop_heap(heap_.begin(), heap_.end(), IsAfter);
  Waiting taken = std::move(heap_.back());
  heap_.pop_back();
  size_bytes_ -= SizeOf(taken);
  const auto collection = collections_.find(taken.item().hash());
  if (--collection->second.waiting == 0) collections_.erase(collection);
  return taken;
}

void DelayedChanges::Clear() {
  heap_ = {};
  collections_ = {};
  size_bytes_ = 0;
}

std::vector<const DelayedChanges::Waiting*> DelayedChanges::FirstOfEachItem() const {
  const auto key = [](const Waiting* change) {
    return std::tuple(change->item().hash(), change->item().key(), change->number);
  };
  std::vector<const Waiting*> changes;
  changes.reserve(heap_.size());
  for (const Waiting& change : heap_) changes.push_back(&change);
  std::ranges::sort(changes, {}, key);
  const auto is_same_item = [](const Waiting* a, const Waiting* b) {
    return a->item().hash() == b->item().hash() && a->item().key() == b->item().key();
  };
  changes.erase(std::unique(changes.begin(), changes.end(), is_same_item), changes.end());
  return changes;
}

std::int64_t DelayedChanges::QueueTimeAt(std::int64_t now_ms) {
  if (now_ms < last_now_ms_) shift_ms_ += last_now_ms_ - now_ms;
  last_now_ms_ = now_ms;
  return now_ms + shift_ms_;
}

std::int64_t DelayedChanges::DrawDelay() {
  const auto span = static_cast<std::uint64_t>(delays_.max_ms - delays_.min_ms) + 1;
  return delays_.min_ms + static_cast<std::int64_t>(random_.Next() % span);
}

bool DelayedChanges::IsAfter(const Waiting& a, const Waiting& b) {
  return std::tie(a.due_ms, a.number) > std::tie(b.due_ms, b.number);
}

}  // namespace hashrange
