#include "http/control_threads.h"

#include <exception>
#include <string>

#include "base/log.h"

namespace hashrange {
namespace {

ControlAnswer FailureInServer() {
  return {.http_status = 500, .body = R"({"error":"The call has failed in the server."})"};
}

// A WorkQueue repeats work that has thrown, but a call must not run twice. So an exception of
// `done` is only logged, and the client of that call gets no answer.
void Deliver(const ControlThreads::Done& done, ControlAnswer answer) {
  try {
    done(std::move(answer));
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());
  }
}

}  // namespace

void ControlThreads::Stop() {
  short_calls_.Stop();
  long_calls_.Stop();
}

void ControlThreads::Post(ControlRequest request, Done done) {
  WorkQueue& calls = handler_.takes_long(request) ? long_calls_ : short_calls_;
  const bool is_posted =
      calls.Post([this, request = std::move(request), done] { Deliver(done, Answer(request)); });
  if (!is_posted && !calls.is_stopping()) Deliver(done, FailureInServer());
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
