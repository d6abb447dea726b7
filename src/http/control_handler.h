// ControlHandler: what answers requests to the control API; in the program, Control::Answer.
// Called on the thread of a ControlThread, one call at a time.
#pragma once

#include <functional>

#include "control/control_request.h"

namespace hashrange {

using ControlHandler = std::function<ControlAnswer(const ControlRequest& request)>;

}  // namespace hashrange
