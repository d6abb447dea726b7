// ControlMessage: what arrives by HTTP as the control API sees it. Pure; any thread.
#pragma once

#include "control/control_request.h"
#include "http/http_request.h"

namespace hashrange {

// The request, copied: it outlives the connection's buffer.
ControlRequest ControlRequestOf(const HttpRequest& request);

}  // namespace hashrange
