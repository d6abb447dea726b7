#include "server/http/long_calls.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

// What the calls that wait for one thread may take in all.
constexpr std::int64_t kMaxWaitingBytes = 16 << 20;
// What a waiting call takes beside its request.
constexpr std::size_t kBytesOfCall = 4 << 10;

}  // namespace

LongCalls::LongCalls(int threads) {
  for (int i = 0; i < threads; ++i) {
    queues_.push_back(std::make_unique<WorkQueue>(WorkQueue::Options{
        .name = "a long call", .max_waiting_bytes = kMaxWaitingBytes, .is_low_priority = true}));
  }
}

void LongCalls::Stop() {
  for (const auto& queue : queues_) queue->Stop();
}

bool LongCalls::Post(std::size_t size_bytes, std::function<void()> work) {
  // The queue in which least waits; among equal ones the next in turn.
  const std::size_t first = next_.fetch_add(1, std::memory_order_relaxed);
  WorkQueue* least = nullptr;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    WorkQueue* const queue = queues_[(first + i) % queues_.size()].get();
    if (!least || queue->waiting_bytes() < least->waiting_bytes()) least = queue;
  }
  const auto guarded = [work = std::move(work)] {
    // A WorkQueue repeats work that has thrown, but a call is made once.
    try {
      work();
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, failure.what());
    }
  };
  return least->Post(guarded, {.size_bytes = static_cast<std::int64_t>(size_bytes + kBytesOfCall)});
}

}  // namespace hashrange
