// ControlHandler: what answers requests to the control API; in the program, Control::Answer.
// Called on several threads at a time (control_threads.h).
#pragma once

#include <functional>

#include "control/control_request.h"

namespace hashrange {

using ControlHandler = std::function<ControlAnswer(const ControlRequest& request)>;

}  // namespace hashrange
