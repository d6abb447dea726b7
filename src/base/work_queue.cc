#include "base/work_queue.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include "base/memory/thread_object.h"
#include "platform/process.h"

namespace hashrange {
namespace {

// In a build without threads: the queues that would have one.
std::vector<WorkQueue*>& QueuesToRun() {
  static std::vector<WorkQueue*> queues;
  return queues;
}

}  // namespace

WorkQueue::WorkQueue(const Options& options) : options_(options) {
  if (!kHasThreads && options_.has_thread) QueuesToRun().push_back(this);
}

WorkQueue::~WorkQueue() {
  Stop();
  if (!kHasThreads) std::erase(QueuesToRun(), this);
}

bool WorkQueue::Add(std::unique_ptr<Work> work, const Terms& terms) {
  if (!work) {
    LogFailure(LogLevel::kWarning, "no memory");
    return false;
  }
  try {
    Entries added;
    added.push_back(
        {std::move(work), std::chrono::steady_clock::now() + terms.delay, terms.size_bytes});
    MutexLock lock(mutex_);
    if (is_stopping() || waiting_bytes_ > options_.max_waiting_bytes) return false;
    if (kHasThreads && options_.has_thread && !thread_.joinable())
      thread_ = Thread([this] { Run(); });
    waiting_bytes_ += terms.size_bytes;
    waiting_.splice(waiting_.end(), added);
  } catch (const std::exception& failure) {
    LogFailure(LogLevel::kWarning, failure.what());
    return false;
  }
  wake_.notify_one();
  return true;
}

void WorkQueue::Hurry() {
  {
    MutexLock lock(mutex_);
    is_hurried_ = true;
    for (Entry& entry : waiting_) entry.due = Time::min();
  }
  wake_.notify_one();
}

void WorkQueue::Stop() {
  {
    MutexLock lock(mutex_);
    is_stopping_.store(true, std::memory_order_relaxed);
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  if (!kHasThreads && options_.has_thread && options_.at_end == AtEnd::kFinish) {
    while (RunNext()) continue;
  }
  Entries dropped;  // destroyed with nothing locked
  MutexLock lock(mutex_);
  dropped.swap(waiting_);
  waiting_bytes_ = 0;
}

std::int64_t WorkQueue::waiting_bytes() const {
  MutexLock lock(mutex_);
  return waiting_bytes_;
}

bool WorkQueue::RunNext() {
  MovableLock lock(mutex_);
  return RunFirstDue(lock);
}

std::optional<WorkQueue::Time> WorkQueue::NextDue() const {
  MutexLock lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  return std::ranges::min_element(waiting_, {}, &Entry::due)->due;
}

std::optional<std::chrono::milliseconds> RunDueWorks(std::chrono::milliseconds budget) {
  using std::chrono::steady_clock;
  static bool is_running = false;
  if (kHasThreads || is_running) return std::nullopt;
  is_running = true;
  const auto end = steady_clock::now() + budget;
  for (bool has_run = true; has_run && steady_clock::now() < end;) {
    has_run = false;
    for (WorkQueue* const queue : QueuesToRun()) has_run |= queue->RunNext();
  }
  is_running = false;
  std::optional<steady_clock::time_point> next;
  for (const WorkQueue* const queue : QueuesToRun()) {
    if (const auto due = queue->NextDue()) next = std::min(next.value_or(*due), *due);
  }
  if (!next) return std::nullopt;
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(*next - steady_clock::now()));
}

void WorkQueue::Run() {
  PrepareThread();
  if (options_.is_low_priority) LowerPriorityOfThisThread();
  MovableLock lock(mutex_);
  while (WaitUntilOneIsDue(lock)) RunFirstDue(lock);
}

// Returns false when the thread must end.
bool WorkQueue::WaitUntilOneIsDue(MovableLock& lock) {
  for (;;) {
    if (is_stopping() && options_.at_end == AtEnd::kDrop) return false;
    if (FirstDue() != waiting_.end()) return true;
    if (is_stopping()) return false;
    if (waiting_.empty()) {
      wake_.wait(lock);
    } else {
      const Time first = std::ranges::min_element(waiting_, {}, &Entry::due)->due;
      wake_.wait_until(lock, first);
    }
  }
}

bool WorkQueue::RunFirstDue(MovableLock& lock) {
  const auto first = FirstDue();
  if (first == waiting_.end()) return false;
  Entries running;  // entries change lists without an allocation, which could fail
  running.splice(running.end(), waiting_, first);
  const std::int64_t size_bytes = first->size_bytes;
  is_hurried_ = false;
  lock.unlock();
  const NextRun next_run = RunGuarded(*first->work);
  if (next_run) {
    first->due = std::chrono::steady_clock::now() + *next_run;
  } else {
    running.clear();
  }
  lock.lock();
  if (!next_run) {
    waiting_bytes_ -= size_bytes;
    return true;
  }
  if (is_hurried_) first->due = Time::min();
  waiting_.splice(waiting_.end(), running);
  return true;
}

WorkQueue::Entries::iterator WorkQueue::FirstDue() {
  const Time now = std::chrono::steady_clock::now();
  return std::ranges::find_if(waiting_, [now](const Entry& entry) { return entry.due <= now; });
}

WorkQueue::NextRun WorkQueue::RunGuarded(Work& work) const {
  try {
    return work.Run();
  } catch (const std::exception& failure) {
    LogFailure(LogLevel::kError, failure.what());
    return kPauseAfterFailure;
  }
}

// The text is on the stack, as memory may be what is missing.
void WorkQueue::LogFailure(LogLevel level, const char* what) const {
  char text[200];
  std::snprintf(text, sizeof text, "%s: %s", options_.name, what);
  Log(level, text);
}

}  // namespace hashrange
