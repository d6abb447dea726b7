// The errors of the service with the texts they usually have there, for a simulation that answers
// one without its cause. Pure function; any thread.
#pragma once

#include <string_view>

#include "base/error.h"
#include "operation/gate.h"

namespace hashrange {

// `table`: the name of the table the call is about; empty where that is not known. Errors whose
// text depends on what is wrong with a request have a general one, or none where the service
// answers without.
Error UsualError(ErrorCode code, const Call& call, std::string_view table);

}  // namespace hashrange
