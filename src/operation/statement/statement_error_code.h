// The codes in the answer of BatchExecuteStatement for statements that failed. Pure; any thread.
#pragma once

#include <string_view>

#include "base/error.h"

namespace hashrange {

// Returns "ConditionalCheckFailed", … (docs/service/11-partiql.md, section 6), or "ValidationError"
// for an error that has no code of its own.
std::string_view StatementErrorCode(ErrorCode code);

}  // namespace hashrange
