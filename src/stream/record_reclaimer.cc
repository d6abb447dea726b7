#include "stream/record_reclaimer.h"

#include <exception>
#include <utility>

#include "base/log.h"

namespace hashrange {

RecordReclaimer::~RecordReclaimer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void RecordReclaimer::Free(RecordChunks chunks) {
  if (chunks.empty()) return;
  try {
    if (Enqueue(&chunks)) wake_.notify_one();
  } catch (const std::exception& failure) {
    // No thread, or no memory for the list: they are freed here after all.
    Log(LogLevel::kWarning, failure.what());
  }
}

std::int64_t RecordReclaimer::waiting_bytes() {
  std::lock_guard lock(mutex_);
  return waiting_bytes_;
}

// False when there is too much already: the caller frees them.
bool RecordReclaimer::Enqueue(RecordChunks* chunks) {
  std::lock_guard lock(mutex_);
  if (waiting_bytes_ > kMaxWaitingBytes) return false;
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  waiting_.reserve(waiting_.size() + chunks->size());
  for (auto& chunk : *chunks) {
    waiting_bytes_ += chunk->size_bytes;
    waiting_.push_back(std::move(chunk));
  }
  return true;
}

void RecordReclaimer::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::unique_ptr<RecordChunk> chunk = std::move(waiting_.back());
    waiting_.pop_back();
    lock.unlock();
    const std::int64_t size_bytes = chunk->size_bytes;
    chunk.reset();
    lock.lock();
    waiting_bytes_ -= size_bytes;
  }
}

}  // namespace hashrange
