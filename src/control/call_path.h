// The member `path` of control calls: a file or folder of the server's machine. Pure; any thread.
#pragma once

#include "base/result.h"
#include "control/control_json.h"

namespace hashrange {

// Checks the member `path` of a call's body, if it is there.
Status CheckPath(const ControlObject& body);

}  // namespace hashrange
