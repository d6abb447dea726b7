// The codes of the errors that members of a BatchExecuteStatement answer.
#pragma once

#include <string_view>

#include "base/error.h"

namespace hashrange {

// "ConditionalCheckFailed", … (docs/service/11-partiql.md, section 6); of any other error
// "ValidationError".
std::string_view StatementErrorCode(ErrorCode code);

}  // namespace hashrange
