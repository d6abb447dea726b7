#include "lab/run/layout_threads.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace hashrange {

void RunJobs(std::size_t jobs, int threads, const std::function<void(std::size_t)>& job) {
  const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads)
                                         : std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t number = next++; number < jobs; number = next++) job(number);
  };
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < std::min(wanted, jobs); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
}

}  // namespace hashrange
