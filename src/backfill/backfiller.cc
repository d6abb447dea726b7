#include "backfill/backfiller.h"

#include <chrono>
#include <exception>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

// About a tenth of a millisecond's work.
constexpr std::size_t kBatch = 64;

}  // namespace

Backfiller::~Backfiller() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Backfiller::Start(IndexAddress address) {
  auto backfill = std::make_unique<Backfill>(engine_, std::move(address));
  if (options_.at_once > 0 && backfill->Step(options_.at_once)) return;
  std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(backfill));
  if (options_.has_thread && !thread_.joinable()) StartThread();
  wake_.notify_one();
}

// Where there is no thread to be had, the next Start tries again.
void Backfiller::StartThread() {
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, std::string("an index is not filled: ") + failure.what());
  }
}

bool Backfiller::Work() {
  Backfill* backfill;
  {
    std::lock_guard lock(mutex_);
    if (waiting_.empty()) return false;
    backfill = waiting_.front().get();
  }
  const bool is_over = backfill->Step(kBatch);
  std::unique_ptr<Backfill> first;  // let go when nothing is locked
  std::lock_guard lock(mutex_);
  first = std::move(waiting_.front());
  waiting_.pop_front();
  if (!is_over) waiting_.push_back(std::move(first));
  return true;
}

void Backfiller::Run() {
  constexpr std::chrono::milliseconds kPause{100};
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    lock.unlock();
    bool is_short_of_memory = false;
    try {
      Work();
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, std::string("a backfill pauses: ") + failure.what());
      is_short_of_memory = true;
    }
    std::this_thread::yield();
    lock.lock();
    if (is_short_of_memory) wake_.wait_for(lock, kPause, [this] { return stopping_; });
  }
}

}  // namespace hashrange
