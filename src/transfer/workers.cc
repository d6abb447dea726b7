#include "transfer/workers.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/log.h"

namespace hashrange {

void RunOnThreads(int threads, absl::FunctionRef<void(int worker)> work) {
  std::mutex mutex;
  std::exception_ptr failure_of_one;  // guarded by `mutex`
  const auto guarded_work = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      std::lock_guard lock(mutex);
      failure_of_one = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  bool lacks_threads = false;
  try {
    others.reserve(static_cast<std::size_t>(std::max(threads, 1)));
    for (int worker = 1; worker < threads; ++worker) {
      others.emplace_back([&guarded_work, worker] { guarded_work(worker); });
    }
  } catch (const std::exception&) {
    lacks_threads = true;  // the system has no thread or no memory left
  }
  guarded_work(0);
  for (std::thread& other : others) other.join();
  if (failure_of_one) std::rethrow_exception(failure_of_one);
  if (lacks_threads) Log(LogLevel::kWarning, "fewer threads work than asked for");
}

int ThreadsOfMachine() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace hashrange
