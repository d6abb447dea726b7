// Authenticate finds the caller of a request. No signature is verified, but the request must have
// the shape of a signed one (docs/service/01-wire-protocol.md, section 3). The access key and the
// Region in its Credential decide whose tables the request sees. Pure function; any thread.
#pragma once

#include "base/memory/arena.h"
#include "base/result.h"
#include "operation/call/caller.h"
#include "operation/dispatch.h"

namespace hashrange {

// Returns who signed the request, as views of the request or of `arena`. A missing part of the
// request's Credential has its default (caller.h).
// Errors: MissingAuthenticationTokenException, InvalidSignatureException,
//         IncompleteSignatureException
Result<Caller> Authenticate(const ApiRequest& request, KeyOwners owners, Arena& arena);

}  // namespace hashrange
