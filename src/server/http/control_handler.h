// ControlHandler: the functions that answer requests to the control API; in the program, those of
// Control. `answer` is called on the threads of ControlThreads, `takes_long` on the thread that
// posts the request.
#pragma once

#include <functional>

#include "control/control_request.h"

namespace hashrange {

struct ControlHandler {
  std::function<ControlAnswer(const ControlRequest& request)> answer;
  // Returns whether the request may take seconds. Such requests run one after another on a thread
  // of their own, so that the others do not wait for them.
  std::function<bool(const ControlRequest& request)> takes_long;
};

}  // namespace hashrange
