// Authentication shape: no signature is verified, but a request must look signed
// (reference 01, section 3). The access key and the credential scope say whose tables
// the request sees.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "operation/dispatch.h"

namespace hashrange {

inline constexpr std::string_view kDefaultAccount = "000000000000";
inline constexpr std::string_view kDefaultRegion = "us-east-1";

struct Caller {
  std::string_view account_id = kDefaultAccount;  // the access key when it has 12 digits
  std::string_view region = kDefaultRegion;       // the credential scope's
};

// Errors: MissingAuthenticationTokenException, InvalidSignatureException,
//         IncompleteSignatureException
Result<Caller> Authenticate(const ApiRequest& request, Arena& arena);

// The caller of a Credential value "AKID/date/region/service/aws4_request"; what is not
// there is the default.
Caller CallerOf(std::string_view credential);

}  // namespace hashrange
