// Authentication shape: no signature is verified, but a request must look signed
// (docs/service/01-wire-protocol.md, section 3). The access key and the credential scope decide
// whose tables the request sees.
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "operation/caller.h"
#include "operation/dispatch.h"

namespace hashrange {

// Returns who signed the request. A missing part of the request's Credential has its default.
// Errors: MissingAuthenticationTokenException, InvalidSignatureException,
//         IncompleteSignatureException
Result<Caller> Authenticate(const ApiRequest& request, Arena& arena);

}  // namespace hashrange
