#include "engine/reclaimer.h"

#include <exception>
#include <utility>

#include "base/allocator.h"
#include "base/log.h"
#include "base/thread_priority.h"

namespace hashrange {
namespace {

// Freed in about a millisecond.
constexpr int kMaxFreedAtOnce = 5000;

// The process counts as idle when it has used less processor time in an interval.
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
  });
  return count;
}

Reclaimer::~Reclaimer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Reclaimer::Free(PartitionSet& partitions) {
  // Else their owner frees them.
  if (CountToFree(partitions, kMaxFreedAtOnce + 1) <= kMaxFreedAtOnce) return;
  try {
    std::lock_guard lock(mutex_);
    StartThread();
    partitions.ForEach([this](Partition& partition) {
      waiting_.push_back(partition.items.map.TakeAll());
      for (CountedMap& index : partition.local_indexes) waiting_.push_back(index.map.TakeAll());
    });
  } catch (const std::exception& failure) {
    // No thread, or no memory for the list: what is left is freed here after all.
    Log(LogLevel::kWarning, failure.what());
  }
  wake_.notify_one();
}

void Reclaimer::Discard(std::shared_ptr<const void> garbage) {
  if (!garbage) return;
  try {
    std::lock_guard lock(mutex_);
    StartThread();
    discarded_.push_back(std::move(garbage));
  } catch (const std::exception& failure) {
    Log(LogLevel::kWarning, failure.what());  // it goes now
  }
  wake_.notify_one();
}

void Reclaimer::StartThread() {
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
}

bool Reclaimer::WasIdle() {
  const std::chrono::nanoseconds used = ProcessorTime();
  return used - std::exchange(processor_time_, used) < kMostIdleUse;
}

// Memory is returned while the process is idle: returning it makes allocations wait, and a busy
// server will use the memory again.
bool Reclaimer::WaitForWork(std::unique_lock<std::mutex>& lock) {
  const auto is_due = [this] { return stopping_ || !waiting_.empty() || !discarded_.empty(); };
  while (owes_memory_ && !wake_.wait_for(lock, kIdleInterval, is_due)) {
    if (!WasIdle()) continue;
    owes_memory_ = false;
    lock.unlock();
    ReturnFreeMemory();
    lock.lock();
  }
  wake_.wait(lock, is_due);
  return !waiting_.empty() || !discarded_.empty();
}

void Reclaimer::Run() {
  LowerPriorityOfThisThread();  // behind whoever answers requests
  std::unique_lock lock(mutex_);
  while (WaitForWork(lock)) {
    owes_memory_ = true;
    MapRoot root;
    std::shared_ptr<const void> garbage;
    if (!waiting_.empty()) {
      root = std::move(waiting_.back());
      waiting_.pop_back();
    } else {
      garbage = std::move(discarded_.back());
      discarded_.pop_back();
    }
    lock.unlock();
    root = nullptr;
    garbage = nullptr;
    lock.lock();
  }
}

}  // namespace hashrange
