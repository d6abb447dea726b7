#include "server/http/control_threads.h"

#include <exception>
#include <string>

#include "base/log.h"

namespace hashrange {
namespace {

ControlAnswer FailureInServer() {
  return {.http_status = 500, .body = R"({"error":"The call has failed in the server."})"};
}

}  // namespace

// The thread of the short calls starts at once: a reset is to be possible when there is no memory
// left for a thread.
ControlThreads::ControlThreads(ControlHandler handler) : handler_(std::move(handler)) {
  if (has_handler()) short_calls_.Post([] {});
}

void ControlThreads::Stop() {
  // In the other order, a waiting long call could begin while Stop waits for a short call.
  long_calls_.Stop();
  short_calls_.Stop();
}

void ControlThreads::Post(ControlRequest request, Done done) {
  WorkQueue& calls = handler_.takes_long(request) ? long_calls_ : short_calls_;
  const bool is_posted = calls.Post([this, request = std::move(request), done] {
    // A WorkQueue repeats work that has thrown, but a call must not run twice. So the failure is
    // only logged, and the client of the call gets no answer.
    try {
      done(Answer(request));
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, failure.what());
    }
  });
  if (!is_posted && !calls.is_stopping()) done(FailureInServer());
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
