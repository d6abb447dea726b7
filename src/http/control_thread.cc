#include "http/control_thread.h"

#include <exception>
#include <string>
#include <utility>

#include "base/log.h"

namespace hashrange {

void ControlThread::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void ControlThread::Post(ControlRequest request, Done done) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    waiting_.push_back({std::move(request), std::move(done)});
  }
  wake_.notify_one();
}

void ControlThread::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
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
