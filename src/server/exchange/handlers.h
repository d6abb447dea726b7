// The functions that answer the requests of a server, which the caller that starts the server
// gives: in the program, functions of Dispatcher and of Control.
#pragma once

#include <functional>

#include "control/control_request.h"
#include "operation/dispatch.h"

namespace hashrange {

// Answers API requests. All threads of the server call it, at the same time.
// Returns the status of the answer and how to send it; appends the answer's body to `out`.
using ApiHandler = std::function<ApiAnswer(const ApiRequest& request, OutputBuffer& out)>;

// Answers requests to the control API. `answer` is called on the threads of ControlThreads,
// `takes_long` on the thread that posts the request.
struct ControlHandler {
  std::function<ControlAnswer(const ControlRequest& request)> answer;
  // Returns whether the request may take seconds. Such requests run one after another on a thread
  // of their own, so that the others do not wait for them.
  std::function<bool(const ControlRequest& request)> takes_long;
};

}  // namespace hashrange
