// ApiHandler: what answers API requests; in the program, Dispatcher::Handle. Called from
// every thread of the server at once.
#pragma once

#include <functional>

#include "operation/dispatch.h"

namespace hashrange {

// Appends the body of the answer to `out`.
using ApiHandler = std::function<ApiAnswer(const ApiRequest& request, OutputBuffer& out)>;

}  // namespace hashrange
