// One call of the control API, as `hashrange ctl` makes it. Any thread.
#pragma once

#include "base/result.h"
#include "remote/client/http_call.h"

namespace hashrange {

// Returns the server's answer, which is one of success.
// Errors: InternalServerError  there is no server, or it refuses the call; the sentence is for the
//         user
Result<HttpReply> SendCtlCall(const HttpCall& call);

}  // namespace hashrange
