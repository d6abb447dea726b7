#include "http/control_threads.h"

#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace hashrange {

void ControlThreads::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void ControlThreads::Post(ControlRequest request, Done done) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    if (waiting_.size() >= idle_ && threads_.size() < kMostThreads) StartThread();
    waiting_.push_back({std::move(request), std::move(done)});
  }
  wake_.notify_one();
}

void ControlThreads::StartThread() {
  try {
    threads_.emplace_back([this] { Run(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;
  }
}

void ControlThreads::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    --idle_;
    if (stopping_) return;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    ControlAnswer answer;
    try {
      answer = handler_(next.request);
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, std::string("a control call threw: ") + failure.what());
      answer = {.http_status = 500, .body = R"({"error":"The call has failed in the server."})"};
    }
    next.done(std::move(answer));
    lock.lock();
  }
}

}  // namespace hashrange
