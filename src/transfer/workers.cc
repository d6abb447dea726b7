#include "transfer/workers.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/log.h"

namespace hashrange {

void RunOnThreads(int threads, absl::FunctionRef<void(int worker)> work) {
  std::vector<std::thread> others;
  try {
    for (int worker = 1; worker < threads; ++worker) {
      others.emplace_back([work, worker] { work(worker); });
    }
  } catch (const std::system_error& failure) {
    Log(LogLevel::kWarning, std::string("fewer threads work than asked for: ") + failure.what());
  }
  work(0);
  for (std::thread& other : others) other.join();
}

int ThreadsOfMachine() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace hashrange
