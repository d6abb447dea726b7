// The credentials of a container: what the agent of ECS, EKS and the like answers at the address
// that AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI names. Any
// thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "remote/client/credential_source.h"

namespace hashrange {

// Returns whether the environment names an address.
bool HasContainerCredentials();

// Asks for keys. Waits for some seconds at most.
// Errors: ValidationException  the address is not one that may be asked, nothing answers there, or
//         the answer is not as it should be
Result<SigningKeys> AskForContainerCredentials();

// Returns the keys in the answer of an agent:
// {"AccessKeyId":"…","SecretAccessKey":"…","Token":"…","Expiration":"2026-01-31T12:00:00Z"}.
// Errors: ValidationException  it has no keys
Result<SigningKeys> ParseContainerCredentials(std::string_view json);

}  // namespace hashrange
