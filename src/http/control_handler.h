// ControlHandler: what answers requests to the control API; in the program, Control. Called on the
// threads of ControlThreads.
#pragma once

#include <functional>

#include "control/control_request.h"

namespace hashrange {

struct ControlHandler {
  std::function<ControlAnswer(const ControlRequest& request)> answer;
  // Whether it may take seconds: such a request waits for others like it, and no other for it.
  std::function<bool(const ControlRequest& request)> takes_long;
};

}  // namespace hashrange
