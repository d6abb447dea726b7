#include "http/control_threads.h"

#include <exception>
#include <string>
#include <utility>

#include "base/log.h"

namespace hashrange {

void ControlThreads::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Lane& lane : lanes_) lane.waiting.clear();
  }
  for (Lane& lane : lanes_) {
    lane.wake.notify_one();
    if (lane.thread.joinable()) lane.thread.join();
  }
}

void ControlThreads::Post(ControlRequest request, Done done) {
  Lane& lane = lanes_[handler_.takes_long(request)];
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    if (!lane.thread.joinable()) lane.thread = std::thread([this, &lane] { Run(lane); });
    lane.waiting.push_back({std::move(request), std::move(done)});
  }
  lane.wake.notify_one();
}

void ControlThreads::Run(Lane& lane) {
  std::unique_lock lock(mutex_);
  while (true) {
    lane.wake.wait(lock, [&] { return stopping_ || !lane.waiting.empty(); });
    if (stopping_) return;
    const Waiting next = std::move(lane.waiting.front());
    lane.waiting.pop_front();
    lock.unlock();
    next.done(Answer(next.request));
    lock.lock();
  }
}

ControlAnswer ControlThreads::Answer(const ControlRequest& request) const {
  try {
    return handler_.answer(request);
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, std::string("a control call threw: ") + failure.what());
    return {.http_status = 500, .body = R"({"error":"The call has failed in the server."})"};
  }
}

}  // namespace hashrange
