// `hashrange ctl requests --follow`: the calls of a server as they come.
#pragma once

#include <string>

#include "cli/ctl_answer.h"
#include "http/http_call.h"
#include "wire/json.h"

namespace hashrange {

// Asks the server for new calls a few times a second, and prints each in a line, until SIGINT. A
// server that lists no calls begins to. `call` is a GET of the list, with all that chooses of it
// but `since`: the id of the call behind which to begin; empty: the last one there is. The exit
// code: 0 after SIGINT; 1, after a line on stderr, when the server refuses or is gone.
int FollowRequests(HttpCall call, std::string since, CtlOutput output);

// A call of the list, for a person, in a line without its end.
std::string RequestLine(const JsonValue& request);

}  // namespace hashrange
