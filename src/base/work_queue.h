// WorkQueue: works that a thread of the queue runs one after another, so that the threads that
// answer requests need not do them.
//
//   Post ──▶ works that wait, first in first out ──▶ the queue's thread runs one after another
//                  ▲── a work that wants to run again, at once or after a time ──┘
//
// The same rules hold for every queue:
//   thread      It is started by the first work and ends with the queue. In a build without
//   threads,
//               the works run when RunDueWorks is called.
//   bounds      Post refuses a work when more than Options::max_waiting_bytes are waiting already,
//               and when the system has no memory or no thread for it. The caller then does the
//               work itself, or leaves it undone.
//   exceptions  A work that throws is logged and runs again after kPauseAfterFailure.
//   shutdown    Stop waits for the work that is running. AtEnd says what becomes of the others.
//
// Thread-safe, but for Stop and the destructor.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/log.h"
#include "base/threads.h"

namespace hashrange {

class WorkQueue {
 public:
  // What a work returns: the time from the end of this run until its next run. kDone: there is no
  // next run.
  using NextRun = std::optional<std::chrono::milliseconds>;
  static constexpr NextRun kDone = std::nullopt;
  static constexpr std::chrono::milliseconds kAtOnce{0};
  static constexpr std::chrono::milliseconds kPauseAfterFailure{100};

  // What Stop does with the works that wait: it runs those that are due and drops the delayed
  // ones, or it drops all of them.
  enum class AtEnd { kFinish, kDrop };

  struct Options {
    const char* name = "";  // what the log calls the work: "the backfill of indexes"
    AtEnd at_end = AtEnd::kDrop;
    std::int64_t max_waiting_bytes = INT64_MAX;
    bool is_low_priority = false;  // the thread gets little time while others are busy
    bool has_thread = true;        // false: works run when RunNext is called, for tests
  };

  struct Terms {
    std::chrono::milliseconds delay = kAtOnce;  // until the work runs for the first time
    std::int64_t size_bytes = 0;                // counted in waiting_bytes until the work is done
  };

  explicit WorkQueue(const Options& options);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Takes `function`, which the thread calls soon: `NextRun function()` or `void function()`.
  // Returns false, and destroys `function`, when the work is refused (see above) or the queue has
  // been stopped.
  template <typename Function>
  bool Post(Function function, const Terms& terms);
  template <typename Function>
  bool Post(Function function) {
    return Post(std::move(function), Terms());
  }

  // Makes all delayed works due now. A work that is running is due at once if it wants to run
  // again.
  void Hurry();

  // Waits for the work that is running, runs or drops the works that wait (Options::at_end), and
  // ends the thread. Later works are refused. Idempotent. A work must not call Stop.
  void Stop();

  // Returns whether Stop was called. A work that takes long checks this and returns early.
  bool is_stopping() const { return is_stopping_.load(std::memory_order_relaxed); }

  // Returns the sum of Terms::size_bytes of all works that are not done.
  std::int64_t waiting_bytes() const;

  // Runs the first work that is due, on the calling thread. Returns false when none is due.
  bool RunNext();

  // Returns when the first of the waiting works is due; nothing when none waits.
  std::optional<std::chrono::steady_clock::time_point> NextDue() const;

 private:
  using Time = std::chrono::steady_clock::time_point;

  class Work {
   public:
    virtual ~Work() = default;
    virtual NextRun Run() = 0;
  };
  template <typename Function>
  class FunctionWork;

  struct Entry {
    std::unique_ptr<Work> work;
    Time due;
    std::int64_t size_bytes = 0;
  };
  using Entries = std::list<Entry>;

  // The second half of Post. `work` is null when there was no memory for the work.
  bool Add(std::unique_ptr<Work> work, const Terms& terms);
  void Run();
  // `lock` is a lock of `mutex_`. It is held when these functions are called and when they return.
  bool WaitUntilOneIsDue(MovableLock& lock);
  bool RunFirstDue(MovableLock& lock);
  Entries::iterator FirstDue();  // called with `mutex_` held
  // These two are called without the lock.
  NextRun RunGuarded(Work& work) const;
  void LogFailure(LogLevel level, const char* what) const;

  const Options options_;
  std::atomic<bool> is_stopping_{false};  // written with `mutex_` held
  mutable Mutex mutex_;                   // guards what follows
  ConditionVariable wake_;
  Entries waiting_;
  std::int64_t waiting_bytes_ = 0;
  bool is_hurried_ = false;  // Hurry was called after the running work was started
  Thread thread_;
};

// In a build without threads (base/threads.h), runs the works of all queues, one of each queue in
// turn, until none is due or `budget` has passed. Returns the time until the next work is due;
// nothing when none waits. A work that calls this changes nothing. With threads, the queues need no
// help, and the result is nothing.
std::optional<std::chrono::milliseconds> RunDueWorks(std::chrono::milliseconds budget);

template <typename Function>
class WorkQueue::FunctionWork : public Work {
 public:
  explicit FunctionWork(Function function) : function_(std::move(function)) {}
  NextRun Run() override {
    if constexpr (std::is_void_v<std::invoke_result_t<Function&>>) {
      function_();
      return kDone;
    } else {
      return function_();
    }
  }

 private:
  Function function_;
};

template <typename Function>
bool WorkQueue::Post(Function function, const Terms& terms) {
  return Add(std::unique_ptr<Work>(new (std::nothrow) FunctionWork<Function>(std::move(function))),
             terms);
}

}  // namespace hashrange
