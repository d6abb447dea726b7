// `hashrange ctl requests --follow`: prints the calls of a server as they arrive.
#pragma once

#include <string>

#include "cli/terminal/program_output.h"
#include "remote/client/http_call.h"
#include "wire/json.h"

namespace hashrange {

// Returns the exit code: 0 after SIGINT; 1, after a line on stderr, when the server refuses or has
// ended. Asks the server for new calls a few times a second, and prints a line for each, until
// SIGINT. If the server does not list calls yet, it is told to begin. `call` is a GET of the list
// with its filters but without `since`. `since`: print the calls after the one with this id; empty:
// print the calls from now on.
int FollowRequests(HttpCall call, std::string since, OutputForm output);

// Returns a call of the list as a line for a person, without a line feed.
std::string RequestLine(const JsonValue& request);

}  // namespace hashrange
