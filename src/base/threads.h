// Threads, locks and pauses. This header alone knows whether the build has threads: the option
// HASHRANGE_THREADS of CMake. The rooms of the library write Mutex, not std::mutex, since a C++
// library without threads lacks the standard's types.
//
// Without threads, locks cost nothing, and no thread starts: a WorkQueue keeps its works until
// RunDueWorks (base/work_queue.h), RunOnThreads calls its work once, and a call returns how long
// its answer is delayed.
#pragma once

#ifndef HASHRANGE_THREADS
#define HASHRANGE_THREADS 1
#endif

#include <chrono>

#if HASHRANGE_THREADS
#include <condition_variable>
#include <mutex>
#include <thread>
#else
#include <cstdlib>
#include <utility>
#endif

namespace hashrange {

#if HASHRANGE_THREADS

inline constexpr bool kHasThreads = true;

using Mutex = std::mutex;
// Locks for a scope what has lock() and unlock().
template <typename Lockable>
using LockOf = std::lock_guard<Lockable>;
using MovableLock = std::unique_lock<std::mutex>;  // may unlock within its scope
using ConditionVariable = std::condition_variable;
using Thread = std::thread;

// Lets other threads run before the calling one.
inline void YieldThread() { std::this_thread::yield(); }
inline void SleepFor(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

#else

inline constexpr bool kHasThreads = false;

class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void lock() {}
  void unlock() {}
};

template <typename Lockable>
class LockOf {
 public:
  explicit LockOf(Lockable&) {}
  ~LockOf() {}  // not the compiler's own: a lock that is only made is no unused variable
  LockOf(const LockOf&) = delete;
  LockOf& operator=(const LockOf&) = delete;
};

class MovableLock {
 public:
  explicit MovableLock(Mutex&) {}
  ~MovableLock() {}
  MovableLock(MovableLock&&) noexcept {}
  MovableLock& operator=(MovableLock&&) noexcept { return *this; }
  void lock() {}
  void unlock() {}
};

// A wait would have no end, and is a defect of its caller.
class ConditionVariable {
 public:
  void notify_one() {}
  void notify_all() {}
  void wait(MovableLock&) { std::abort(); }
  template <typename IsDone>
  void wait(MovableLock&, IsDone is_done) {
    if (!is_done()) std::abort();
  }
  template <typename Time>
  void wait_until(MovableLock&, const Time&) {
    std::abort();
  }
};

// Starting one is a defect, too: the caller asks kHasThreads first.
class Thread {
 public:
  Thread() = default;
  template <typename Function>
  explicit Thread(Function&&) {
    std::abort();
  }
  bool joinable() const { return false; }
  void join() {}
  static unsigned hardware_concurrency() { return 1; }
};

inline void YieldThread() {}
inline void SleepFor(std::chrono::milliseconds) {}

#endif

using MutexLock = LockOf<Mutex>;

}  // namespace hashrange
