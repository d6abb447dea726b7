#include "base/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/memory/thread_object.h"
#include "base/threads.h"

namespace hashrange {
namespace {

constexpr std::size_t kLeastMemoryOfThread = 1 << 20;

}  // namespace

void RunOnThreads(int threads, const std::function<void(int worker)>& work) {
  Mutex mutex;
  std::exception_ptr failure_of_one;  // guarded by `mutex`
  const auto guarded_work = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      MutexLock lock(mutex);
      failure_of_one = std::current_exception();
    }
  };
  std::vector<Thread> others;
  bool lacks_threads = false;
  try {
    others.reserve(static_cast<std::size_t>(std::max(threads, 1)));
    for (int worker = 1; kHasThreads && worker < threads; ++worker) {
      // A thread that starts without any memory could not be prepared.
      ::operator delete(::operator new(kLeastMemoryOfThread));
      others.emplace_back([&guarded_work, worker] {
        PrepareThread();
        guarded_work(worker);
      });
    }
  } catch (const std::exception&) {
    lacks_threads = true;  // the system has no thread or no memory left
  }
  guarded_work(0);
  for (Thread& other : others) other.join();
  if (failure_of_one) std::rethrow_exception(failure_of_one);
  if (lacks_threads) Log(LogLevel::kWarning, "fewer threads work than asked for");
}

Status RunJobs(int threads, std::size_t count, const std::function<Status(std::size_t)>& job) {
  std::atomic<std::size_t> next{0};
  Mutex mutex;
  Status first_error;  // guarded by `mutex`
  RunOnThreads(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), count)),
               [&](int) {
                 for (std::size_t number = next++; number < count; number = next++) {
                   Status done;
                   try {
                     done = job(number);
                   } catch (...) {
                     next = count;
                     throw;
                   }
                   if (done.ok()) continue;
                   next = count;
                   const MutexLock lock(mutex);
                   if (first_error.ok()) first_error = std::move(done);
                 }
               });
  return first_error;
}

int ThreadsOfMachine() { return std::max(1, static_cast<int>(Thread::hardware_concurrency())); }

}  // namespace hashrange
