// ApiHandler: the function that answers API requests; in the program, Dispatcher::Handle. All
// threads of the server call it, at the same time.
#pragma once

#include <functional>

#include "operation/dispatch.h"

namespace hashrange {

// Returns the status of the answer and how to send it; appends the answer's body to `out`.
using ApiHandler = std::function<ApiAnswer(const ApiRequest& request, OutputBuffer& out)>;

}  // namespace hashrange
