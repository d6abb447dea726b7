// The errors of the service with their usual texts. A simulation answers with these errors although
// nothing has gone wrong. Pure function; any thread.
#pragma once

#include <string_view>

#include "base/error.h"
#include "operation/call/gate.h"

namespace hashrange {

// Returns the error. `table` is the name of the table that the call is about; empty where that is
// not known. An error whose text depends on what is wrong with a request has a general text, or no
// text where the service answers without one.
Error UsualError(ErrorCode code, const Call& call, std::string_view table);

}  // namespace hashrange
