// Policy documents: the texts of resource policies in requests
// (docs/service/17-global-tables-and-account.md, sections D and G). Hashrange stores policies and
// enforces none, as nobody's rights are checked. Pure functions; any thread.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "engine/table_version.h"

namespace hashrange {

// Checks that the text is a JSON object of at most 20,480 bytes without white space between its
// values, and that its statements have what every policy of a resource has: an effect, principals,
// actions, resources, and different ids.
// Errors: ValidationException
Status CheckPolicyDocument(std::string_view text);

// Returns a policy of that text with a new revision id, a number of 13 digits.
PolicyRef MakePolicy(std::string_view text);

}  // namespace hashrange
