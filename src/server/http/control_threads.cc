#include "server/http/control_threads.h"

#include <exception>
#include <new>
#include <string>

#include "base/log.h"

namespace hashrange {
namespace {

// So large that it is mapped by itself (platform/memory.h), and is free for all threads at once.
constexpr std::size_t kReserveBytes = 8 << 20;

// Returns whether the call frees memory: a reset, or the removal of what a test made.
bool FreesMemory(const ControlRequest& request) {
  return request.method == "DELETE" || request.path == "reset";
}

ControlAnswer FailureInServer() {
  return {.http_status = 500, .body = R"({"error":"The call has failed in the server."})"};
}

}  // namespace

// The thread of the short calls starts at once: a reset is to be possible when there is no memory
// left for a thread.
ControlThreads::ControlThreads(ControlHandler handler) : handler_(std::move(handler)) {
  if (!has_handler()) return;
  reserve_.reset(new (std::nothrow) std::byte[kReserveBytes]);
  short_calls_.Post([] {});
}

void ControlThreads::Stop() {
  // In the other order, a waiting long call could begin while Stop waits for a short call.
  long_calls_.Stop();
  short_calls_.Stop();
}

void ControlThreads::Post(ControlRequest request, Done done) {
  const bool takes_long = handler_.takes_long(request);
  WorkQueue& calls = takes_long ? long_calls_ : short_calls_;
  const bool is_posted = calls.Post([this, request = std::move(request), done, takes_long] {
    // A WorkQueue repeats work that has thrown, but a call must not run twice. So the failure is
    // only logged, and the client of the call gets no answer.
    try {
      done(takes_long || !FreesMemory(request) ? Answer(request) : AnswerWithReserve(request));
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, failure.what());
    }
  });
  if (!is_posted && !calls.is_stopping()) done(FailureInServer());
}

ControlAnswer ControlThreads::AnswerWithReserve(const ControlRequest& request) {
  reserve_.reset();
  ControlAnswer answer = Answer(request);
  reserve_.reset(new (std::nothrow) std::byte[kReserveBytes]);
  return answer;
}

ControlAnswer ControlThreads::Answer(const ControlRequest& request) const {
  try {
    return handler_.answer(request);
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, std::string("a control call threw: ") + failure.what());
    return FailureInServer();
  }
}

}  // namespace hashrange
