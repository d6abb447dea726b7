#include "engine/map/reclaimer.h"

#include <utility>

#include "platform/memory.h"
#include "platform/process.h"

namespace hashrange {
namespace {

// When CountToFree is at most this, the owner of the partitions frees them in about a millisecond.
constexpr int kMaxFreedByOwner = 5000;

// The process counts as idle when it has used less processor time than kMostIdleUse in an interval.
constexpr std::chrono::milliseconds kIdleInterval(100);
constexpr std::chrono::microseconds kMostIdleUse(500);

}  // namespace

int CountToFree(const PartitionSet& partitions, int limit) {
  int count = 0;
  const auto add = [&](const CountedMap& map) {
    if (count < limit) count += map.map.CountToFree(limit - count);
  };
  partitions.ForEach([&](const Partition& partition) {
    add(partition.items);
    for (const CountedMap& index : partition.local_indexes) add(index);
    if (partition.vectors && count < limit) {
      count += partition.vectors->map.CountToFree(limit - count);
    }
  });
  return count;
}

template <typename Garbage>
bool Reclaimer::Post(Garbage garbage) {
  return queue_.Post([this, garbage = std::move(garbage)]() mutable {
    garbage = nullptr;
    PostMemoryReturn();
  });
}

void Reclaimer::PostMemoryReturn() {
  if (is_return_posted_) return;
  is_return_posted_ =
      queue_.Post([this] { return ReturnMemoryWhenIdle(); }, {.delay = kIdleInterval});
}

void Reclaimer::Free(PartitionSet& partitions) {
  if (CountToFree(partitions, kMaxFreedByOwner + 1) <= kMaxFreedByOwner) return;
  bool is_accepted = true;  // else the owner frees what is left
  partitions.ForEach([&](Partition& partition) {
    if (is_accepted) is_accepted = Post(partition.items.map.TakeAll());
    for (CountedMap& index : partition.local_indexes) {
      if (is_accepted) is_accepted = Post(index.map.TakeAll());
    }
    if (partition.vectors && is_accepted) is_accepted = Post(partition.vectors->map.TakeAll());
  });
}

void Reclaimer::Discard(std::shared_ptr<const void> garbage) {
  if (garbage) Post(std::move(garbage));
}

// Returning memory makes allocations wait, and a busy server will use the memory again.
WorkQueue::NextRun Reclaimer::ReturnMemoryWhenIdle() {
  if (!WasIdle()) return kIdleInterval;
  is_return_posted_ = false;
  ReturnFreeMemory();
  return WorkQueue::kDone;
}

bool Reclaimer::WasIdle() {
  const std::chrono::nanoseconds used = ProcessorTime();
  return used - std::exchange(processor_time_, used) < kMostIdleUse;
}

}  // namespace hashrange
